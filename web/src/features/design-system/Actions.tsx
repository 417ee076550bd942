import { Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { AlertDialog, ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { Shortcut } from '../../ui/Kbd.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Term, Tooltip } from '../../ui/Tooltip.tsx';
import { toast } from '../../ui/toast.tsx';
import { Row, Specimen } from './Specimen.tsx';

type Open = 'dialog' | 'confirm' | 'alert' | null;

/** Buttons, menus and everything that floats. */
export function Actions() {
  const [open, setOpen] = useState<Open>(null);
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const close = (isOpen: boolean) => !isOpen && setOpen(null);
  return (
    <>
      <Specimen
        title="Buttons"
        rule="One primary button per view. Busy buttons keep their label. A picture alone always has a name."
      >
        <Row>
          <Button variant="primary" icon={Plus}>
            Primary
          </Button>
          <Button>Secondary</Button>
          <Button variant="ghost">Ghost</Button>
          <Button variant="danger">Danger</Button>
          <Button variant="link">Link</Button>
          <Button disabled>Disabled</Button>
          <Button isBusy>Busy</Button>
          <Button size="sm">Small</Button>
          <Button size="lg">Large</Button>
          <IconButton icon={Pencil} label="Edit" shortcut="E" />
          <IconButton icon={Trash2} label="Remove" isActive />
        </Row>
      </Specimen>
      <Specimen
        title="Menus, tooltips, popovers"
        rule="They appear within 100 ms, from where they belong. Shortcuts are shown beside actions. Escape closes and gives the focus back."
      >
        <Row>
          <Menu
            label="Actions"
            trigger={<Button>Menu</Button>}
            entries={[
              { heading: 'Strategy' },
              { label: 'Edit', icon: Pencil, shortcut: 'E', onSelect: () => toast.info('Edit') },
              { label: 'Make a copy', icon: Copy, shortcut: 'D', description: 'Private, with new block ids' },
              { label: 'Not now', isDisabled: true },
              'separator',
              { label: 'Delete', icon: Trash2, isDangerous: true },
            ]}
          />
          <Popover title="Weight" trigger={<Button>Popover</Button>}>
            Edits what it is anchored to.
          </Popover>
          <Tooltip content="Runs the strategy" shortcut="Mod+Enter">
            <Button>Tooltip</Button>
          </Tooltip>
          <Term definition="Largest fall from a peak of the portfolio value to the low that followed it.">
            Max Drawdown
          </Term>
          <Shortcut keys="Mod+Shift+Z" />
        </Row>
      </Specimen>
      <Specimen
        title="Dialogs and toasts"
        rule="Dialogs ask before something is lost. Toasts tell what happened elsewhere, with an undo where there is one."
      >
        <Row>
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('confirm')}>Confirm</Button>
          <Button onClick={() => setOpen('alert')}>Alert</Button>
          <Button
            onClick={() =>
              toast.success('Saved', { action: { label: 'Undo', onSelect: () => toast.info('Undone') } })
            }
          >
            Toast
          </Button>
          <Button
            onClick={() =>
              toast.error('The batch has failed', { description: 'Nothing was charged to your quota.' })
            }
          >
            Error toast
          </Button>
        </Row>
        <Dialog
          open={open === 'dialog'}
          onOpenChange={close}
          title="Dialog"
          description="One thing at a time."
          footer={<Button onClick={() => setOpen(null)}>Done</Button>}
        >
          The page behind does not scroll.
        </Dialog>
        <ConfirmDialog
          open={open === 'confirm'}
          onOpenChange={close}
          onConfirm={() => toast.success('Deleted')}
        >
          RSI switch will be deleted.
        </ConfirmDialog>
        <AlertDialog open={open === 'alert'} onOpenChange={close} title="Quota used up">
          It starts anew on the first of the month.
        </AlertDialog>
      </Specimen>
      <Specimen title="Tabs">
        <Tabs
          label="Example"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'one', label: 'Config', content: 'Arrow keys move between tabs.' },
            { value: 'two', label: 'Results', content: 'Only the chosen panel exists.' },
          ]}
        />
      </Specimen>
    </>
  );
}
