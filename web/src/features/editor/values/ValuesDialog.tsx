import { useState } from 'react';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import type { EditorActor } from '../machines/actors.ts';
import type { EditorStore } from '../model/editor-store.ts';
import { IdleTab } from './IdleTab.tsx';
import { ReplaceTab } from './ReplaceTab.tsx';
import { VariablesTab } from './VariablesTab.tsx';

type Shown = 'variables' | 'replace' | 'idle';

/**
 * What can be done with all values of a strategy at once: variables, find and replace, and taking out what
 * plays no part.
 */
export function ValuesDialog({
  actor,
  store,
  onClose,
}: {
  actor: EditorActor;
  store: EditorStore;
  onClose: () => void;
}) {
  const [shown, setShown] = useState<Shown>('variables');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Numbers and tickers"
      size="xl"
      description="Every change here is one step that can be undone."
    >
      <Tabs
        label="What to do with them"
        value={shown}
        onChange={setShown}
        tabs={[
          {
            value: 'variables',
            label: 'Make variables',
            content: <VariablesTab actor={actor} store={store} onClose={onClose} />,
          },
          { value: 'replace', label: 'Find and replace', content: <ReplaceTab store={store} /> },
          { value: 'idle', label: 'Clean up', content: <IdleTab store={store} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
}
