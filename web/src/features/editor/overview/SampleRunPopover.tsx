import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { collectVariables } from '@quantloom/domain/strategy/variables';
import { type ReactElement, useMemo, useState } from 'react';
import { suggestedTexts } from '../../../lib/suggested-values.ts';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { firstSamples, sampleFault, withSamples } from '../model/sample-values.ts';

export interface SampleRunPopoverProps {
  /** Runs the template with values in place of its variables; the label says which. */
  readonly onRun: (algorithm: Algorithm, label: string) => void;
  readonly trigger: ReactElement;
}

/** One value for each variable of a template, and the run with them. */
export function SampleRunPopover({
  onRun,
  trigger,
  isOpenAtOnce,
}: SampleRunPopoverProps & { isOpenAtOnce: boolean }) {
  const { store } = useEditorTools();
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const variables = useMemo(() => (isOpen ? collectVariables(algorithm) : []), [isOpen, algorithm]);
  const texts = useMemo(
    () => ({ ...firstSamples(variables, suggestedTexts()), ...typed }),
    [variables, typed],
  );
  const faults = variables.map((variable) => sampleFault(variable, texts[variable.name] ?? ''));
  const canRun = faults.every((fault) => fault === null);
  return (
    <Popover title="Run with sample values" open={isOpen} onOpenChange={setOpen} trigger={trigger}>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (!canRun) return;
          const sample = withSamples(algorithm, variables, texts);
          setOpen(false);
          onRun(sample.algorithm, sample.label);
        }}
      >
        <p className="text-sm text-muted">
          One run, to see what the template does. The batch runs it with all values.
        </p>
        {variables.map(({ name }, index) => (
          <TextField
            key={name}
            label={name}
            value={texts[name] ?? ''}
            error={faults[index] ?? null}
            onChange={(text) => setTyped((now) => ({ ...now, [name]: text }))}
          />
        ))}
        <Button type="submit" variant="primary" aria-disabled={!canRun}>
          Run with these
        </Button>
      </form>
    </Popover>
  );
}
