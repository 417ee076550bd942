import type { Figure, Verdict as VerdictAnswer } from '@quantloom/domain/contracts/http/analysis';
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { conceptAddressOf } from '@quantloom/domain/contracts/metric-concepts';
import { SKILL_LEVEL } from '@quantloom/domain/statistics/skill-level';
import { useQuery } from '@tanstack/react-query';
import { formatCount, plural } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';
import { ErrorState, Skeleton } from '../../../ui/feedback.tsx';
import { Term } from '../../../ui/Tooltip.tsx';
import type { ColumnFilter } from '../model/filters.ts';
import { combinationLabel } from './metric-names.ts';
import { verdictQuery } from './queries.ts';
import { figureText, noneLeftOut } from './verdict-words.ts';

const HEADINGS = {
  likely_luck: 'The best result is probably luck',
  may_be_real: 'The best result may be real',
  too_little_data: 'Too little data to tell luck from an edge',
  not_tested: 'The best result was not tested',
  simulated_prices: 'Simulated prices: no verdict on skill',
} as const;
const CELLS = {
  real_and_robust: 'Real and robust',
  family_real: 'The family is real, the parameters are arbitrary',
  lucky_pick: 'A lucky pick',
  noise: 'Noise',
} as const;
/** Rows that are named; of more, it is said how many. */
const MOST_NAMED = 8;
/** Read before the details are opened. */
const FIRST_FIGURES = ['alpha', 'alpha_p', 'pbo', 'equivalent_trials', 'out_of_sample_sharpe'];

/**
 * A low probability by luck that is not called skill: the row earns what its holdings earn, or nobody knows
 * what it held.
 */
function headingOf({ verdict, cell, skill }: VerdictAnswer): string {
  if (cell) return CELLS[cell];
  if (verdict !== 'likely_luck' || !skill || skill.p >= SKILL_LEVEL) return HEADINGS[verdict];
  return skill.held === 'unknown'
    ? 'Whether its choices earned the alpha is not known'
    : 'The alpha is that of what it holds';
}

/** The sentence begins with what stands in the heading. */
function withoutHeading(sentence: string, heading: string | null): string {
  return heading && sentence.startsWith(`${heading}. `) ? sentence.slice(heading.length + 2) : sentence;
}

/** What the best result is worth after everything that was tried: in plain words, the figures one click away. */
export function Verdict({
  batch,
  onShow,
}: {
  batch: BatchDetail;
  /** Shows the rows that a filter leaves; missing where there are too few for a table of them. */
  onShow?: (filters: readonly ColumnFilter[]) => void;
}) {
  const verdict = useQuery(verdictQuery(batch.id));
  if (verdict.isPending) return <Skeleton className="h-20" />;
  const { data } = verdict;
  // One that is shown stays when asking again has failed.
  if (data === undefined)
    return (
      <ErrorState
        title="The verdict could not be computed"
        error={verdict.error}
        onRetry={() => void verdict.refetch()}
      />
    );
  return (
    <section
      aria-label="Verdict"
      className={cx(
        'rounded border px-4 py-3',
        data.verdict === 'may_be_real'
          ? 'border-transparent bg-brand-soft'
          : 'border-transparent bg-warning-soft',
      )}
    >
      <h2 className="text-lg font-semibold">{headingOf(data)}</h2>
      <p className="max-w-prose">{withoutHeading(data.sentence, data.cell && CELLS[data.cell])}</p>
      {data.tested && <p className="mt-1 max-w-prose text-sm text-muted">{data.tested}</p>}
      {data.skill && (
        <ul className="mt-2 grid grid-cols-2 gap-x-6 gap-y-1 text-sm md:grid-cols-4">
          {data.figures
            .filter(({ key }) => FIRST_FIGURES.includes(key))
            .map((figure) => (
              <li key={figure.key}>
                <span className="block text-muted">
                  <Name figure={figure} />
                </span>
                <span className="num font-medium">{figureText(figure)}</span>
              </li>
            ))}
        </ul>
      )}
      {data.skill && <SameAsBest skill={data.skill} onShow={onShow} />}
      <details className="mt-2">
        <summary className="cursor-pointer text-sm text-muted">The figures and where they come from</summary>
        <dl className="mt-2 grid gap-x-6 gap-y-3 text-sm md:grid-cols-2">
          {data.figures.map((figure) => (
            <div key={figure.key}>
              <dt className="flex justify-between gap-3 font-medium">
                <Name figure={figure} />
                <span
                  className={cx(
                    'num',
                    figure.tone === 'good' && 'text-gain',
                    figure.tone === 'bad' && 'text-loss',
                  )}
                >
                  {figureText(figure)}
                </span>
              </dt>
              <dd className="text-muted">
                {figure.explanation} <cite>{figure.source}</cite>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Rows that cannot be told from the best, by name: the choice between them is the reader's. */
function SameAsBest({
  skill: { confidence_rows: rows, confidence_text: compared, rows: of },
  onShow,
}: {
  skill: NonNullable<VerdictAnswer['skill']>;
  onShow: ((filters: readonly ColumnFilter[]) => void) | undefined;
}) {
  if (rows.length < 2) return null;
  if (rows.length === of) return <p className="mt-2 max-w-prose text-sm text-muted">{noneLeftOut(of)}</p>;
  const named = rows.slice(0, MOST_NAMED).map(({ values }) => combinationLabel(values));
  const others = rows.length - named.length;
  return (
    <p className="mt-2 max-w-prose text-sm">
      {plural(rows.length, 'row')} cannot be told from the best by daily returns: {named.join(', ')}
      {others > 0 && ` and ${formatCount(others)} more`}. <span className="text-muted">{compared}</span>
      {onShow && (
        <>
          {' '}
          <button
            type="button"
            className="text-accent underline"
            onClick={() =>
              onShow([
                {
                  column: 'combination',
                  op: 'in',
                  text: rows.map(({ combination }) => combination).join(', '),
                },
              ])
            }
          >
            Show these rows
          </button>
        </>
      )}
    </p>
  );
}

/** What a figure is called, with a link to what the guide says about it. */
function Name({ figure: { key, label, explanation } }: { figure: Figure }) {
  return (
    <Term definition={explanation} href={conceptAddressOf(key)}>
      {label}
    </Term>
  );
}
