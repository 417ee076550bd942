import {
  latestStart,
  missingTickers,
  type PricedTicker,
  replaceTicker,
} from '@quantloom/domain/exchange/stand-ins';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { plural } from '../../../lib/format.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';

/** The tickers that have no prices here, with what could stand in for them; and what the shortest history costs. */
export function MissingTickers({
  algorithm,
  onChange,
}: {
  algorithm: Algorithm;
  onChange: (algorithm: Algorithm) => void;
}) {
  const tickers = useTickerSearch();
  const known = useMemo(
    () => new Map<string, PricedTicker>(tickers.data?.data.map((asset) => [asset.ticker, asset]) ?? []),
    [tickers.data],
  );
  const missing = useMemo(() => missingTickers(algorithm, known), [algorithm, known]);
  const latest = useMemo(() => latestStart(algorithm, known), [algorithm, known]);
  if (known.size === 0) return null;
  const replaceable = missing.filter(({ standIns }) => standIns.length > 0);
  const replaceAll = () =>
    onChange(
      replaceable.reduce(
        (tree, { ticker, standIns }) => replaceTicker(tree, ticker, standIns[0]?.ticker ?? ticker),
        algorithm,
      ),
    );
  return (
    <section aria-label="Prices" className="flex flex-col gap-2 text-sm">
      {latest && (
        <p>
          <strong>{latest.ticker}</strong> limits this to {latest.first_day.slice(0, 4)} and later: its prices
          begin on <span className="num">{latest.first_day}</span>.
        </p>
      )}
      {missing.length > 0 && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p>
              {plural(missing.length, 'ticker')} without prices here: the strategy cannot run until each has a
              stand-in.
            </p>
            {replaceable.length > 1 && (
              <Button size="sm" onClick={replaceAll}>
                Take the first stand-in of all {replaceable.length}
              </Button>
            )}
          </div>
          <ul className="flex max-h-48 flex-col gap-1 overflow-auto">
            {missing.map(({ ticker, times, standIns }) => (
              <li key={ticker} className="flex flex-wrap items-center gap-2">
                <Badge color="red">{ticker}</Badge>
                <span className="text-muted">{plural(times, 'place')}</span>
                {standIns.map((other) => (
                  <Button
                    key={other.ticker}
                    size="sm"
                    title={other.name}
                    onClick={() => onChange(replaceTicker(algorithm, ticker, other.ticker))}
                  >
                    Use {other.ticker}
                  </Button>
                ))}
                {standIns.length === 0 && <span className="text-muted">nothing like it is known</span>}
                <OtherTicker
                  missing={ticker}
                  known={known}
                  onChoose={(other) => onChange(replaceTicker(algorithm, ticker, other))}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** A stand-in of the reader's own choice, typed. */
function OtherTicker({
  missing,
  known,
  onChoose,
}: {
  missing: string;
  known: ReadonlyMap<string, PricedTicker>;
  onChoose: (ticker: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [unknown, setUnknown] = useState<string | null>(null);
  const faultId = useId();
  const choose = (event: FormEvent) => {
    event.preventDefault();
    const ticker = typed.trim().toUpperCase();
    if (ticker === '') return;
    if (known.has(ticker)) onChoose(ticker);
    else setUnknown(ticker);
  };
  return (
    <form onSubmit={choose} className="flex flex-wrap items-center gap-2">
      <input
        aria-label={`Another ticker in place of ${missing}`}
        aria-invalid={unknown !== null}
        aria-describedby={unknown === null ? undefined : faultId}
        placeholder="Another"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={32}
        className="w-24 rounded border border-line bg-surface px-2 py-1 uppercase placeholder:normal-case"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setUnknown(null);
        }}
      />
      {typed.trim() !== '' && (
        <Button size="sm" type="submit">
          Use it
        </Button>
      )}
      {unknown !== null && (
        <span id={faultId} role="alert" className="text-danger">
          No prices of {unknown} here
        </span>
      )}
    </form>
  );
}
