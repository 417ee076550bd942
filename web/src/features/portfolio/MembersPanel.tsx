import { REBALANCE_PERIODS, type RebalancePeriod } from '@quantloom/domain/portfolio/combine';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { messageOf } from '../../lib/api.ts';
import { formatSignedPercent } from '../../lib/format.ts';
import { entryFault } from '../../lib/number-entry.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { type Column, Table } from '../../ui/Table.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { toast } from '../../ui/toast.tsx';
import type { CurveKind, Curves } from './curves.ts';
import { keepPortfolio } from './kept.ts';
import type { Shown } from './shown.ts';
import { equalWeights, type Typed, type Weights } from './weights.ts';

const PERIODS: Record<RebalancePeriod, string> = {
  daily: 'Every day',
  monthly: 'At the end of each month',
  quarterly: 'At the end of each quarter',
  yearly: 'At the end of each year',
  never: 'Never',
};

/** The strategies with their weights: typed, checked, kept, and made a strategy of their own. */
export function MembersPanel({
  shown,
  typed,
  weights,
  curves,
  kind,
  rebalance,
  isChanged,
  onType,
  onRebalance,
  onRemove,
  onSaved,
  addDraft,
}: {
  shown: readonly Shown[];
  typed: readonly Typed[];
  weights: Weights;
  curves: Curves;
  kind: CurveKind;
  rebalance: RebalancePeriod;
  isChanged: boolean;
  onType: (typed: readonly Typed[]) => void;
  onRebalance: (period: RebalancePeriod) => void;
  onRemove: (id: string) => void;
  onSaved: () => void;
  addDraft: ReactNode;
}) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const navigate = useNavigate();
  const texts = new Map(typed.map(({ id, text }) => [id, text]));
  const portfolio = {
    members: shown.map(({ id }) => ({ strategyId: id, percent: weights.percents.get(id) ?? 0 })),
    rebalance,
  };
  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(messageOf(error));
    }
    setBusy(false);
  };
  const save = () =>
    act(async () => {
      await keepPortfolio(portfolio);
      onSaved();
      toast.success('Your portfolio is saved');
    });
  const make = () =>
    act(async () => {
      // Fetched when it is pressed: the first load of the page has no room for blocks.
      const { makeStrategy } = await import('./make-strategy.ts');
      const id = await makeStrategy(portfolio, 'Portfolio');
      await navigate(`/editor/${id}`);
    });
  const columns: readonly Column<Shown>[] = [
    {
      id: 'name',
      header: 'Strategy',
      cell: ({ id, name, isFollowed }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Link to={`/editor/${id}`} className="break-words hover:underline">
            {name}
          </Link>
          {!isFollowed && <Badge>draft</Badge>}
        </span>
      ),
    },
    {
      id: 'weight',
      header: 'Weight (%)',
      isNumeric: true,
      cell: ({ id, name }) => (
        <>
          <TextField
            label={`Weight of ${name} (%)`}
            isLabelHidden
            inputMode="decimal"
            autoComplete="off"
            value={texts.get(id) ?? ''}
            onChange={(text) => onType(typed.map((one) => (one.id === id ? { id, text } : one)))}
            error={faultOf(weights, id)}
            className="ml-auto w-24 print:hidden"
          />
          <span className="hidden print:inline">{weights.percents.get(id) ?? '–'}</span>
        </>
      ),
    },
    {
      id: 'return',
      header: kind === 'lived' ? 'As lived' : 'Backtest',
      isNumeric: true,
      cell: ({ id, isFollowed }) => (
        <OwnReturn id={id} curves={curves} isCounted={kind === 'backtests' || isFollowed} />
      ),
    },
    {
      id: 'remove',
      header: '',
      label: 'Remove',
      className: 'print:hidden',
      cell: ({ id, name, isFollowed }) =>
        !isFollowed && (
          <Button size="sm" variant="ghost" onClick={() => onRemove(id)} aria-label={`Take out ${name}`}>
            Take out
          </Button>
        ),
    },
  ];
  const rest = 100 - weights.sum;
  return (
    <Panel title="Strategies and weights" className="flex flex-col gap-3">
      <Table label="Strategies and weights" columns={columns} rows={shown} rowId={({ id }) => id} />
      {weights.fault !== null ? (
        <Notice kind="warning">{weights.fault}</Notice>
      ) : (
        <p role="status" className="text-muted">
          The weights add up to {weights.sum}%.
          {rest > 1e-6 && ` What is missing, ${Number(rest.toFixed(6))}%, is cash.`}
        </p>
      )}
      <div className="flex flex-wrap items-end gap-3 print:hidden">
        {addDraft}
        <Select
          label="Money is moved between them"
          options={REBALANCE_PERIODS.map((value) => ({ value, label: PERIODS[value] }))}
          value={rebalance}
          onChange={onRebalance}
          className="w-full sm:w-64"
        />
      </div>
      {fault !== null && <Notice kind="danger">{fault}</Notice>}
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button
          variant="primary"
          isBusy={isBusy}
          disabled={isBusy || weights.fault !== null || !isChanged}
          onClick={() => void save()}
        >
          Save portfolio
        </Button>
        <Button onClick={() => onType(equalWeights(shown.map(({ id }) => id)))}>Same weight for each</Button>
        <Button disabled={isBusy || weights.fault !== null || weights.sum === 0} onClick={() => void make()}>
          Make it a strategy
        </Button>
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      <p className="text-sm text-muted print:hidden">
        Your account keeps saved weights for every device. As a strategy, each of these becomes a block at its
        revision of today, and all of them trade by one rule: the one that is chosen here.
      </p>
    </Panel>
  );
}

function faultOf(weights: Weights, id: string): string | null {
  const entry = weights.entries.get(id);
  return entry ? entryFault(entry) : null;
}

function OwnReturn({ id, curves, isCounted }: { id: string; curves: Curves; isCounted: boolean }) {
  if (!isCounted) return <span className="text-muted">not followed</span>;
  const loaded = curves.found.get(id);
  if (!loaded) return <span className="text-muted">…</span>;
  if ('fault' in loaded) return <span className="whitespace-normal text-left text-loss">{loaded.fault}</span>;
  const { values } = loaded.curve;
  const [first, last] = [values[0], values.at(-1)];
  return first === undefined || last === undefined ? '–' : formatSignedPercent(last / first - 1);
}
