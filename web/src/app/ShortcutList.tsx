import { useAllCommands } from '../lib/commands.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Shortcut } from '../ui/Kbd.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';

/** What the keyboard can do on this page, in groups. */
export default function ShortcutList({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const commands = useAllCommands().filter((one) => one.shortcut !== undefined);
  const groups = Map.groupBy(commands, (one) => one.group);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" size="lg">
      <ScrollRegion
        label="All shortcuts"
        className="grid max-h-[60dvh] gap-x-8 gap-y-4 overflow-y-auto sm:grid-cols-2"
      >
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h3 className="mb-1 text-sm font-medium text-muted">{group}</h3>
            <ul>
              {members.map((one) => (
                <li key={one.id} className="flex min-h-8 items-center justify-between gap-4 py-1">
                  <span>{one.label}</span>
                  <Shortcut keys={one.shortcut ?? ''} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section>
          <h3 className="mb-1 text-sm font-medium text-muted">Tables</h3>
          <ul>
            {[
              ['Next row', 'J'],
              ['Previous row', 'K'],
              ['Open', 'Enter'],
            ].map(([label, keys]) => (
              <li key={label} className="flex min-h-8 items-center justify-between gap-4 py-1">
                <span>{label}</span>
                <Shortcut keys={keys ?? ''} />
              </li>
            ))}
          </ul>
        </section>
      </ScrollRegion>
    </Dialog>
  );
}
