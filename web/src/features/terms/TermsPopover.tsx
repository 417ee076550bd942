import { type ReactElement, useMemo, useState } from 'react';
import { useTickerSearch } from '../../lib/ticker-search.ts';
import { Combobox, MultiCombobox } from '../../ui/Combobox.tsx';
import { EntryForm } from '../../ui/EntryForm.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  draftOfTerms,
  type IndicatorPrices,
  PRICE_NAMES,
  type TermsDraft,
  type TradingTerms,
  termsFaults,
  termsOfDraft,
} from './terms.ts';

export interface TermsPopoverProps {
  readonly value: TradingTerms;
  readonly onChange: (terms: TradingTerms) => void;
  /** Whether further tickers can be compared with: a batch shows its own benchmark alone. */
  readonly hasBenchmarks?: boolean;
  readonly trigger: ReactElement;
}

const FILLS = [
  {
    value: 'close',
    label: 'Same close',
    description: 'Trades at the close that the decision was made with: the usual assumption, and a kind one.',
  },
  {
    value: 'next-close',
    label: 'Next close',
    description: 'Trades a day later: what orders placed after the close would get.',
  },
] as const;

const CASH = [
  { value: 'nothing', label: 'Earns nothing' },
  { value: 'rate', label: 'A rate' },
  { value: 'ticker', label: 'What a ticker returns' },
] as const;

const PRICES = (['adjusted', 'splits', 'raw'] as const).map((value) => ({
  value,
  label: PRICE_NAMES[value],
}));

/** When the choice matters. */
const PRICE_HINTS: Readonly<Record<IndicatorPrices, string>> = {
  adjusted:
    'For splits and dividends: what holding really earned. The usual choice; the past changes a ' +
    'little with every dividend.',
  splits:
    'What charts of prices show: a dividend is a fall. Matters for levels, and for averages of ' +
    'bonds and other high payers. Returns stay those of adjusted closes.',
  raw:
    'What was paid on the day: for conditions such as “costs more than 5”. A split looks like a ' +
    'crash to an average. Returns stay those of adjusted closes.',
};

/** Fill, cash, what decisions read and further benchmarks of a run; applied when it closes, unless with Escape. */
export function TermsPopover({
  value,
  onChange,
  hasBenchmarks = true,
  trigger,
  isOpenAtOnce,
}: TermsPopoverProps & { isOpenAtOnce: boolean }) {
  const [draft, setDraft] = useState<TermsDraft | null>(isOpenAtOnce ? draftOfTerms(value) : null);
  const faults = draft && termsFaults(draft);
  const fault = faults && (faults.rate ?? faults.ticker ?? faults.benchmarks);
  const tickers = useTickerSearch().data?.data;
  const options = useMemo(
    () => (tickers ?? []).map(({ ticker, name }) => ({ value: ticker, label: ticker, description: name })),
    [tickers],
  );
  const cancel = () => setDraft(null);
  const close = () => {
    if (fault) toast.error(`The trading terms stay as they were. ${fault}.`);
    else if (draft && JSON.stringify(draft) !== JSON.stringify(draftOfTerms(value)))
      onChange(termsOfDraft(draft));
    setDraft(null);
  };
  const set = (part: Partial<TermsDraft>) => setDraft((now) => now && { ...now, ...part });
  return (
    <Popover
      title="Trading"
      trigger={trigger}
      open={draft !== null}
      onOpenChange={(open, isCancelled) =>
        open ? setDraft(draftOfTerms(value)) : isCancelled ? cancel() : close()
      }
      className="w-88"
    >
      {draft && faults && (
        <EntryForm onDone={close} onCancel={cancel} canBeDone={!fault}>
          <RadioGroup
            label="Orders are filled at"
            options={FILLS}
            value={draft.fill}
            onChange={(fill) => set({ fill })}
          />
          <Select
            label="Cash"
            options={CASH}
            value={draft.cashKind}
            onChange={(cashKind) => set({ cashKind })}
          />
          {draft.cashKind === 'rate' && (
            <TextField
              label="Percent per year"
              inputMode="decimal"
              value={draft.rate}
              error={faults.rate}
              onChange={(rate) => set({ rate })}
            />
          )}
          {draft.cashKind === 'ticker' && (
            <Combobox
              label="Cash is held in"
              options={options}
              value={draft.ticker || null}
              error={faults.ticker}
              placeholder="Search tickers, such as BIL"
              onChange={(ticker) => set({ ticker: ticker ?? '' })}
            />
          )}
          <Select
            label="Decisions read"
            options={PRICES}
            value={draft.indicatorPrices}
            hint={PRICE_HINTS[draft.indicatorPrices]}
            onChange={(indicatorPrices) => set({ indicatorPrices })}
          />
          {hasBenchmarks && (
            <MultiCombobox
              label="Compare with, beside SPY"
              options={options}
              values={draft.benchmarks}
              error={faults.benchmarks}
              placeholder="Up to 5 further tickers"
              onChange={(benchmarks) => set({ benchmarks })}
            />
          )}
        </EntryForm>
      )}
    </Popover>
  );
}
