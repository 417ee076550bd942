import { Toast as Base } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { FLOATING } from './classes.ts';

const manager = Base.createToastManager();

export interface ToastOptions {
  readonly description?: ReactNode;
  /** `Undo` and the like. The toast closes when it is used. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** Milliseconds; 0 stays until closed. Default 5000, 8000 with an action. */
  readonly timeout?: number;
  /** A toast with the id of an open one replaces it. */
  readonly id?: string;
}

function show(type: 'success' | 'error' | 'info', title: ReactNode, options: ToastOptions = {}): string {
  const id = manager.add({
    ...(options.id !== undefined && { id: options.id }),
    title,
    type,
    description: options.description,
    priority: type === 'error' ? 'high' : 'low',
    timeout: options.timeout ?? (options.action ? 8000 : 5000),
    ...(options.action && {
      actionProps: {
        children: options.action.label,
        onClick: () => {
          options.action?.onSelect();
          manager.close(id);
        },
      },
    }),
  });
  return id;
}

/** Short news at the edge of the screen, from anywhere. `toast.success('Saved')`; each answers the toast's id. */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => show('success', title, options),
  error: (title: ReactNode, options?: ToastOptions) => show('error', title, options),
  info: (title: ReactNode, options?: ToastOptions) => show('info', title, options),
  close: (id: string) => manager.close(id),
};

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

/** Mounted once, by the application. */
export function Toaster() {
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
