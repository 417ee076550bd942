// @vitest-environment happy-dom
import { putMarketDataPiece, runMarketDataImport } from '@quantloom/domain/contracts/http/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { ImportPanel } from './ImportPanel.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

it('compares a series anew with what is typed now, also where that is less than before', async () => {
  const asked: unknown[] = [];
  const call = async (route: unknown, { body }: { readonly body?: object }) => {
    if (route !== runMarketDataImport) return { data: { id: 'u1' } };
    asked.push(body);
    return { data: { state: 'refused', error: 'It holds no prices', report: null, question: null } };
  };
  setApi({ call } as never);
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <ImportPanel before="v1" />
    </QueryClientProvider>,
  );
  const input = container.querySelector('input[type=file]') as HTMLInputElement;
  fireEvent.change(input, { target: { files: [new File(['date,value'], 'rate.csv')] } });
  const choose = async (days: string) => {
    fireEvent.change(await screen.findByLabelText('Name of the series'), { target: { value: '@RATE' } });
    fireEvent.change(screen.getByLabelText('Days until a value is known'), { target: { value: days } });
    fireEvent.click(screen.getByRole('button', { name: 'Use it' }));
  };
  await choose('5');
  const whole = { publish: false, series: '@RATE' };
  await waitFor(() => expect(asked).toEqual([{ publish: false }, { ...whole, lag_days: 5 }]));
  await choose('a week');
  await screen.findByText('A whole number of days is needed, or nothing');
  expect(asked).toHaveLength(2);
  await choose(' ');
  await waitFor(() => expect(asked.at(-1)).toEqual(whole));
  expect(asked).toHaveLength(3);
});

it('sends the files of a folder with their places in it, and those that were chosen by name', async () => {
  const paths: unknown[] = [];
  const call = async (route: unknown, { body }: { readonly body?: { readonly path?: string } }) => {
    if (route === putMarketDataPiece) paths.push(body?.path);
    const refused = { state: 'refused', error: 'It holds no prices', report: null, question: null };
    return { data: route === runMarketDataImport ? refused : { id: 'u1' } };
  };
  setApi({ call } as never);
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <ImportPanel before="v1" />
    </QueryClientProvider>,
  );
  // They are made anew after each import.
  const input = (kind: 'files' | 'folder') =>
    container.querySelectorAll('input[type=file]')[kind === 'files' ? 0 : 1] as HTMLElement;
  const inFolder = (webkitRelativePath: string) =>
    Object.defineProperty(new File(['x'], 'SPY.csv'), 'webkitRelativePath', { value: webkitRelativePath });
  fireEvent.change(input('folder'), {
    target: { files: [inFolder('all/2024/SPY.csv'), inFolder('all/2025/SPY.csv')] },
  });
  await screen.findByText('It holds no prices');
  expect(paths).toEqual(['all/2024/SPY.csv', 'all/2025/SPY.csv']);
  fireEvent.change(input('files'), { target: { files: [new File(['x'], 'b.csv')] } });
  await waitFor(() => expect(paths.slice(2)).toEqual(['b.csv']));
});
