// @vitest-environment happy-dom
import { listDrafts } from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { draftOf } from '../../../testing/draft.ts';
import { answer, leave, type Sent, show } from '../../../testing/page.tsx';
import { AddDraft } from './AddDraft.tsx';

afterEach(leave);

it('finds drafts by what is typed, also those far down the list, but no template and none that is held', async () => {
  const drafts = [
    draftOf('t', 'Trend template', { type: 'template' }),
    draftOf('held', 'Trend held'),
    ...Array.from({ length: 30 }, (_, at) => draftOf(`other${at}`, `Other ${at}`)),
    draftOf('new', 'Trend new'),
  ];
  const find = ({ query }: Sent) => {
    const fits = drafts.filter(({ name }) => name.includes(String(query?.search ?? '')));
    const body = fits.slice(0, Number(query?.limit));
    return { body, headers: new Headers({ 'x-total-count': String(fits.length) }) };
  };
  answer([listDrafts, find]);
  const added: string[] = [];
  show(<AddDraft taken={['held']} onAdd={(id) => added.push(id)} />);
  const box = screen.getByRole('combobox', { name: 'Add a draft' });
  const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  await act(async () => {
    fireEvent.focus(box);
    fireEvent.input(box, { target: { value: 'Trend' }, inputType: 'insertText' });
  });
  await waitFor(() => expect(names()).toEqual(['Trend new']));
  await act(async () => void fireEvent.click(screen.getByRole('option')));
  expect(added).toEqual(['new']);
});
