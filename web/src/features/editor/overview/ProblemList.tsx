import type { Problem } from '@quantloom/domain/kernel/refusal';
import { TriangleAlert } from 'lucide-react';
import { plural } from '../../../lib/format.ts';
import type { EditorStore } from '../model/editor-store.ts';
import { problemWords } from '../model/problems.ts';

const SHOWN = 8;

/** What keeps the strategy from running, each with a jump to its block. */
export function ProblemList({ problems, store }: { problems: readonly Problem[]; store: EditorStore }) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="Problems" className="rounded border border-line bg-warning-soft p-2 text-sm">
      <h2 className="flex items-center gap-1.5 font-medium text-warning">
        <TriangleAlert size={14} aria-hidden /> {plural(problems.length, 'problem')}
      </h2>
      <ul className="mt-1 flex flex-col">
        {problems.slice(0, SHOWN).map((problem, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one block may have the same problem twice
          <li key={`${problem.nodeId}-${problem.code}-${index}`}>
            <button
              type="button"
              disabled={problem.nodeId === undefined}
              className="w-full rounded-sm px-1 py-0.5 text-left text-ink enabled:hover:bg-hover enabled:hover:underline"
              onClick={() => problem.nodeId !== undefined && store.reveal(problem.nodeId)}
            >
              {problemWords(problem)}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p className="px-1 text-muted">and {problems.length - SHOWN} more</p>}
    </section>
  );
}
