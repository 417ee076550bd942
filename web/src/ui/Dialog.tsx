import { Suspense, useLayoutEffect, useState } from 'react';
import type { AlertDialogProps, ConfirmDialogProps, DialogProps } from './DialogWindow.tsx';
import { Fetched, fetchedPart, onFirstUse, type Part } from './fetched.tsx';
import { holdKeys } from './held-keys.ts';

const load = () => import('./DialogWindow.tsx');
const dialog = fetchedPart(async () => (await load()).DialogWindow);
const confirm = fetchedPart(async () => (await load()).ConfirmWindow);
const alert = fetchedPart(async () => (await load()).AlertWindow);
for (const { fetch } of [dialog, confirm, alert]) onFirstUse(fetch);

/** The window is fetched when the page is first used, and mounted when it is first opened. */
function OnceOpened<Props extends { readonly open: boolean }>({
  part,
  props,
}: {
  part: Part<Props>;
  props: Props;
}) {
  const [isWanted, setWanted] = useState(false);
  if (props.open && !isWanted) {
    // What could not be fetched when the page was first used is asked for again.
    part.fetch();
    setWanted(true);
  }
  useLayoutEffect(() => (props.open ? holdKeys() : undefined), [props.open]);
  if (!isWanted) return null;
  return (
    <Suspense>
      <Fetched part={part} props={props} />
    </Suspense>
  );
}

/** A modal window. Escape and the backdrop close it; focus returns to where it was. */
export function Dialog(props: DialogProps) {
  return <OnceOpened part={dialog} props={props} />;
}

/**
 * Asks before something is lost. The dialog closes by itself after `onConfirm` (a promise is waited for, a
 * failure keeps it open and shows why) and when the user declines.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return <OnceOpened part={confirm} props={props} />;
}

/** Tells something that must be read: one button, no way to miss it. */
export function AlertDialog(props: AlertDialogProps) {
  return <OnceOpened part={alert} props={props} />;
}
