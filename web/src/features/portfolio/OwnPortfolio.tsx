import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import type { RebalancePeriod } from '@quantloom/domain/portfolio/combine';
import type { Portfolio } from '@quantloom/domain/portfolio/portfolio';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { draftsById } from '../../lib/resources.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState, Progress } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { RadioGroup } from '../../ui/RadioGroup.tsx';
import { AddDraft } from './AddDraft.tsx';
import { CombinedPanel } from './CombinedPanel.tsx';
import { CorrelationsPanel } from './CorrelationsPanel.tsx';
import { type CurveKind, useCurves } from './curves.ts';
import { ExposurePanel } from './ExposurePanel.tsx';
import { MembersPanel } from './MembersPanel.tsx';
import type { Shown } from './shown.ts';
import { keptWeights, readWeights, type Typed } from './weights.ts';

const KINDS = [
  { value: 'lived', label: 'As lived' },
  { value: 'backtests', label: 'Backtests' },
] as const;

/** The portfolio with its weights, which are used as they are typed and kept when they are saved. */
export function OwnPortfolio({ follows, kept }: { follows: readonly Follow[]; kept: Portfolio | null }) {
  const [kind, setKind] = useState<CurveKind>('lived');
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [edited, setEdited] = useState<readonly Typed[] | null>(null);
  const [period, setPeriod] = useState<RebalancePeriod | null>(null);
  const visible = follows.filter(({ name }) => name !== null);
  const followedIds = new Set(visible.map(({ strategy_id: id }) => id));
  const extras = [
    ...new Set([...(kept?.members.map(({ strategyId }) => strategyId) ?? []), ...added]),
  ].filter((id) => !followedIds.has(id) && !removed.includes(id));
  const drafts = useQuery({ ...draftsById(extras), enabled: extras.length > 0 });
  const shown: readonly Shown[] = [
    ...visible.map(({ strategy_id: id, name }) => ({ id, name: name ?? '', isFollowed: true })),
    // What was deleted, or is not one's own, has no row.
    ...(extras.length > 0 ? (drafts.data ?? []) : []).map(({ id, name }) => ({
      id,
      name,
      isFollowed: false,
    })),
  ];
  const ids = shown.map(({ id }) => id);
  const known = new Map((edited ?? []).map((one) => [one.id, one]));
  const typed = keptWeights(ids, kept).map((one) => known.get(one.id) ?? one);
  const weights = readWeights(typed);
  const rebalance = period ?? kept?.rebalance ?? 'monthly';
  const loaded = shown.filter(({ isFollowed }) => kind === 'backtests' || isFollowed);
  const curves = useCurves(
    kind,
    loaded.map(({ id }) => id),
  );
  const add = (id: string) => {
    setAdded([...added, id]);
    setRemoved(removed.filter((one) => one !== id));
    setKind('backtests');
  };
  if (shown.length === 0 && !drafts.isLoading)
    return (
      <Panel title="Followed strategies together" className="flex flex-col gap-4">
        <EmptyState
          icon={CalendarClock}
          title="Nothing to hold together yet"
          action={
            <ButtonLink to="/drafts" variant="primary">
              Choose what to follow
            </ButtonLink>
          }
        >
          Follow strategies, or add your own drafts below, and see what they come to by weights of your own.
        </EmptyState>
        <AddDraft taken={ids} onAdd={add} />
      </Panel>
    );
  const part = { shown, weights, curves, kind, rebalance };
  return (
    <>
      <MembersPanel
        {...part}
        typed={typed}
        isChanged={edited !== null || period !== null || added.length > 0 || removed.length > 0}
        onType={setEdited}
        onRebalance={setPeriod}
        onRemove={(id) => {
          setRemoved([...removed, id]);
          setAdded(added.filter((one) => one !== id));
        }}
        onSaved={() => {
          setEdited(null);
          setPeriod(null);
          setAdded([]);
          setRemoved([]);
        }}
        addDraft={<AddDraft taken={ids} onAdd={add} />}
      />
      <div className="print:hidden">
        <RadioGroup label="What they come to" options={KINDS} value={kind} onChange={setKind} isRow />
      </div>
      {!curves.isDone && (
        <div className="flex flex-col gap-1" role="status">
          <p className="text-muted">
            {curves.found.size} of {loaded.length} strategies are computed.
          </p>
          <Progress
            value={(100 * curves.found.size) / Math.max(1, loaded.length)}
            label="Strategies computed"
          />
        </div>
      )}
      {weights.fault === null && curves.isDone && <CombinedPanel {...part} />}
      {weights.fault === null && <ExposurePanel {...part} />}
      {curves.isDone && <CorrelationsPanel {...part} />}
    </>
  );
}
