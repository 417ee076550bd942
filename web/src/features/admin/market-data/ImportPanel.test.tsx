// @vitest-environment happy-dom
import { runMarketDataImport } from '@quantloom/domain/contracts/http/calls';
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
