// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { FetchedInPlace, fetchedPart } from './fetched.tsx';

afterEach(cleanup);

const Shown = () => null;
const Named = ({ name }: { readonly name: string }) => <p>Chart of {name}</p>;

it('fetches a part once, and once more when somebody asks after a failure', async () => {
  let fetches = 0;
  const part = fetchedPart(async () => {
    if (++fetches === 1) throw new TypeError('Failed to fetch');
    return Shown;
  });
  const ask = () =>
    new Promise<string>((resolve) =>
      part.whenFetched(
        () => resolve('there'),
        (reason) => resolve((reason as Error).message),
      ),
    );
  expect(await ask()).toBe('Failed to fetch');
  expect(await ask()).toBe('there');
  part.fetch();
  expect(await ask()).toBe('there');
  expect(fetches).toBe(2);
  expect(part.read()).toBe(Shown);
});

it('says in its place that a part cannot be had, and shows it after another try', async () => {
  let fetches = 0;
  const part = fetchedPart<{ readonly name: string }>(async () => {
    if (++fetches === 1) throw new TypeError('Failed to fetch');
    return Named;
  });
  const place = (
    <FetchedInPlace part={part} props={{ name: 'prices' }} what="The chart" fallback={<p>Loading</p>} />
  );
  render(place);
  await screen.findByText('Loading');
  await screen.findByText('The chart could not be loaded');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Chart of prices');
  cleanup();
  render(place);
  expect(screen.getByText('Chart of prices')).toBeTruthy();
  expect(screen.queryByText('Loading')).toBeNull();
});
