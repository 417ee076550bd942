import { runSensitivity } from '@quantloom/domain/contracts/http/calls';
import { neighboursOf, numbersOf, type TreeNumber, withNumber } from '@quantloom/domain/strategy/sensitivity';
import { suggestedName } from '@quantloom/domain/strategy/suggested-variables';
import { variableNames } from '@quantloom/domain/strategy/variables';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, messageOf } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { rememberSuggested } from '../../../lib/suggested-values.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Popover } from '../../../ui/Popover.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { wordsOfEach } from '../values/value-words.ts';
import { SensitivityStrip } from './SensitivityStrip.tsx';

export interface SensitivityPopoverProps {
  readonly nodeId: string;
  readonly trigger: ReactElement;
}

const keyOf = ({ index }: TreeNumber) => String(index);

/** How Sharpe ratio and return change around the numbers of a line, one number at a time. */
export function SensitivityPopover({
  nodeId,
  trigger,
  isOpenAtOnce,
}: SensitivityPopoverProps & { isOpenAtOnce: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  return (
    <Popover
      title="How much depends on its numbers"
      trigger={trigger}
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      className="w-104 max-w-[94vw]"
    >
      <Numbers nodeId={nodeId} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function Numbers({ nodeId, onDone }: { nodeId: string; onDone: () => void }) {
  const { store, variables } = useEditorTools();
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const numbers = numbersOf(algorithm).filter((number) => number.nodeId === nodeId);
  const words = wordsOfEach(numbers);
  const [chosen, setChosen] = useState<string | null>(null);
  const number = numbers.find((one) => keyOf(one) === chosen) ?? numbers[0];
  if (!number) return <p className="text-sm text-muted">This line holds no number.</p>;
  if (variables.length > 0)
    return (
      <p className="text-sm text-muted">
        A template has no single result to change: its batch shows what depends on each variable.
      </p>
    );
  return (
    <div className="flex flex-col gap-3 text-sm">
      {numbers.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
        <div role="group" aria-label="Number" className="flex flex-wrap gap-1">
          {numbers.map((one, index) => (
            <button
              key={keyOf(one)}
              type="button"
              aria-pressed={one === number}
              onClick={() => setChosen(keyOf(one))}
              className={cx(
                'rounded border border-line px-2 py-0.5 hover:bg-hover',
                one === number && 'border-brand bg-brand-soft',
              )}
            >
              <span className="num">{one.value}</span> <span className="text-muted">{words[index]}</span>
            </button>
          ))}
        </div>
      )}
      <Strip key={`${keyOf(number)} ${number.value}`} number={number} onDone={onDone} />
    </div>
  );
}

function Strip({ number, onDone }: { number: TreeNumber; onDone: () => void }) {
  const { store, strategyId, runRequest, canUseVariables } = useEditorTools();
  const [request] = useState(runRequest);
  const id = strategyId();
  const result = useQuery({
    queryKey: ['sensitivity', request, number.nodeId, number.index, id],
    queryFn: ({ signal }) => {
      const { include: _include, benchmarks: _benchmarks, ...terms } = request ?? { trading_bot: null };
      return api().call(runSensitivity, {
        body: {
          ...terms,
          place: { node_id: number.nodeId, index: number.index },
          ...(id !== 'new' && { strategy_id: id }),
        },
        signal,
      });
    },
    enabled: request !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  const makeVariable = () => {
    const { algorithm } = store.document;
    const name = suggestedName({ ...number, times: 1 }, new Set(variableNames(algorithm)));
    rememberSuggested({ [name]: neighboursOf(number).join('\n') });
    store.edit(`Make ${number.value} a variable`, (tree) => withNumber(tree, number, name));
    onDone();
  };
  return (
    <>
      {result.data ? (
        <SensitivityStrip answer={result.data} />
      ) : (
        <p role="status" className="flex h-40 items-center justify-center text-muted">
          {request === null
            ? 'Choose the days of the backtest first.'
            : result.error
              ? messageOf(result.error)
              : 'Running its neighbours…'}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-2">
        <p className="max-w-60 text-xs text-muted">
          {result.data && result.data.trials > 0
            ? `Takes no quota. ${plural(result.data.trials, 'neighbour')} count as trials of this ` +
              'strategy: its best result must beat more luck.'
            : 'Takes no quota. Once the strategy is saved, neighbours count as its trials.'}
        </p>
        {canUseVariables && (
          <Button size="sm" onClick={makeVariable}>
            Make {number.value} a variable
          </Button>
        )}
      </div>
    </>
  );
}
