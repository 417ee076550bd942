import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { IconButton } from './Button.tsx';
import { FLOATING } from './classes.ts';
import type { ToastMessage } from './toast.tsx';

const manager = Base.createToastManager();

/** Shows or replaces the toast with the message's id. */
function show({ id, kind, title, options }: ToastMessage): void {
  const { action } = options;
  manager.add({
    id,
    title,
    type: kind,
    description: options.description,
    priority: kind === 'error' ? 'high' : 'low',
    timeout: options.timeout ?? (action ? 8000 : 5000),
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          action.onSelect();
          manager.close(id);
        },
      },
    }),
  });
}

const ICONS = { success: CircleCheck, error: CircleAlert, info: Info } as const;
const COLORS = { success: 'text-accent', error: 'text-danger', info: 'text-info' } as const;

function ToastList() {
  const { toasts } = Base.useToastManager();
  return toasts.map((item) => {
    const kind = (item.type ?? 'info') as keyof typeof ICONS;
    const Icon = ICONS[kind] ?? Info;
    return (
      <Base.Root key={item.id} toast={item} className={`${FLOATING} w-full data-limited:hidden`}>
        <Base.Content className="flex items-start gap-2.5 py-2 pl-3 pr-1.5">
          <Icon size={16} aria-hidden className={`mt-1.5 shrink-0 ${COLORS[kind] ?? ''}`} />
          <div className="min-w-0 flex-1 py-1">
            <Base.Title className="font-medium" />
            <Base.Description className="text-muted" />
          </div>
          <Base.Action className="mt-0.5 h-7 shrink-0 rounded px-2 font-medium text-accent hover:bg-hover" />
          <Base.Close render={<IconButton icon={X} label="Dismiss" size="sm" />} />
        </Base.Content>
      </Base.Root>
    );
  });
}

/** Shows what `toast` collects. Loaded with the first message. */
export default function Toaster({
  take,
  closed,
}: {
  take: () => readonly ToastMessage[];
  closed: () => readonly string[];
}) {
  // Runs after every render: the host renders it anew for every message.
  useEffect(() => {
    for (const message of take()) show(message);
    for (const id of closed()) manager.close(id);
  });
  return (
    <Base.Provider toastManager={manager} limit={4}>
      <Base.Portal>
        <Base.Viewport className="fixed bottom-4 right-4 z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2">
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}
