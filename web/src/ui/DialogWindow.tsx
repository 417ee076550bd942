import { AlertDialog as BaseAlert } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { messageOf } from '../lib/api.ts';
import { Button, IconButton } from './Button.tsx';
import { cx, FLOATING, OVER_THE_PAGE } from './classes.ts';
import { tellFailure } from './tell-failure.ts';

export interface DialogProps {
  readonly open: boolean;
  /** Without it only the dialog's own buttons lead out of it. */
  readonly onOpenChange?: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode;
  readonly size?: 'sm' | 'md' | 'lg' | 'xl';
  /** What takes the focus when it opens; default: the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** Asked when it closes; false leaves the focus where something else has put it. */
  readonly returnsFocus?: () => boolean;
}

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title?: string;
  readonly children: ReactNode;
  readonly confirmLabel?: string;
  readonly cancelLabel?: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => unknown;
  /** Asked when it closes; false leaves the focus where something else has put it. */
  readonly returnsFocus?: () => boolean;
}

export interface AlertDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
  readonly closeLabel?: string;
}

const OVER = { [OVER_THE_PAGE]: '' };
const BACKDROP =
  'fixed inset-0 z-40 bg-black/40 transition-opacity duration-100 data-starting-style:opacity-0 ' +
  'data-ending-style:opacity-0';
const POPUP =
  `${FLOATING} fixed left-1/2 top-[12dvh] z-40 flex max-h-[76dvh] w-[calc(100vw-2rem)] ` +
  '-translate-x-1/2 flex-col';
const WIDTHS = { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-3xl', xl: 'max-w-7xl' } as const;

/** `Dialog`, once it has been fetched. */
export function DialogWindow({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  initialFocus,
  returnsFocus,
}: DialogProps) {
  return (
    <Base.Root open={open} {...(onOpenChange && { onOpenChange })}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} {...OVER} />
        <Base.Popup
          className={cx(POPUP, WIDTHS[size])}
          {...OVER}
          {...(initialFocus && { initialFocus })}
          {...(returnsFocus && { finalFocus: returnsFocus })}
        >
          <header className="flex items-start gap-3 px-4 pb-2 pt-3">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-lg font-semibold">{title}</Base.Title>
              {description && <Base.Description className="text-muted">{description}</Base.Description>}
            </div>
            {onOpenChange && <Base.Close render={<IconButton icon={X} label="Close" size="sm" />} />}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** `ConfirmDialog`, once it has been fetched. */
export function ConfirmWindow({
  open,
  onOpenChange,
  title = 'Confirm Deletion',
  children,
  confirmLabel = 'Delete',
  cancelLabel = "Don't delete",
  isDangerous = true,
  onConfirm,
  returnsFocus,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // The question that stands there: one that was given up meanwhile says nothing to the next.
  const asked = useRef({});
  const close = () => {
    asked.current = {};
    setBusy(false);
    setFailure(null);
    onOpenChange(false);
  };
  const confirm = async () => {
    const question = asked.current;
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      if (question === asked.current) close();
    } catch (error) {
      if (question !== asked.current) return tellFailure(error);
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <BaseAlert.Root open={open} onOpenChange={(next) => (next ? onOpenChange(true) : close())}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={BACKDROP} {...OVER} />
        <BaseAlert.Popup
          className={cx(POPUP, 'max-w-md p-4')}
          // What can be given beside the question is not what the keyboard begins with.
          initialFocus={cancel}
          {...OVER}
          {...(returnsFocus && { finalFocus: returnsFocus })}
        >
          <BaseAlert.Title className="text-lg font-semibold">{title}</BaseAlert.Title>
          <BaseAlert.Description render={<div />} className="mt-1 text-muted">
            {children}
          </BaseAlert.Description>
          {failure && (
            <p role="alert" className="mt-3 rounded bg-danger-soft px-3 py-2 text-danger">
              {failure}
            </p>
          )}
          <div className="mt-4 flex justify-end gap-2">
            <BaseAlert.Close ref={cancel} render={<Button />}>
              {cancelLabel}
            </BaseAlert.Close>
            <Button
              variant={isDangerous ? 'danger' : 'primary'}
              isBusy={isBusy}
              onClick={() => void confirm()}
            >
              {confirmLabel}
            </Button>
          </div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}

/** `AlertDialog`, once it has been fetched. */
export function AlertWindow({ open, onOpenChange, title, children, closeLabel = 'Close' }: AlertDialogProps) {
  return (
    <BaseAlert.Root open={open} onOpenChange={onOpenChange}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={BACKDROP} {...OVER} />
        <BaseAlert.Popup className={cx(POPUP, 'max-w-md p-4')} {...OVER}>
          <BaseAlert.Title className="text-lg font-semibold">{title}</BaseAlert.Title>
          <BaseAlert.Description render={<div />} className="mt-1 text-muted">
            {children}
          </BaseAlert.Description>
          <div className="mt-4 flex justify-end">
            <BaseAlert.Close render={<Button variant="primary" />}>{closeLabel}</BaseAlert.Close>
          </div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}
