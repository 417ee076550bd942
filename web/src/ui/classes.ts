/** Joins class names, leaving out what is empty. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

/** Look of every text control, so that they line up in forms and toolbars. */
export const CONTROL =
  'h-8 w-full rounded border border-control-line bg-raised px-2.5 text-base text-ink placeholder:text-faint ' +
  'hover:border-muted focus:outline-2 focus:-outline-offset-1 focus:outline-focus ' +
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-surface disabled:text-faint ' +
  'aria-invalid:border-danger aria-invalid:focus:outline-danger data-invalid:border-danger';

/** Everything that floats has this one elevation. */
export const FLOATING = 'floats rounded border border-line bg-raised text-ink shadow-float outline-none';

/** Marks the dialogs, which lie over everything else, and what they darken. */
export const OVER_THE_PAGE = 'data-over-the-page';

/** A line in menus, selects and lists. */
export const OPTION =
  'flex min-h-8 w-full cursor-default select-none items-center gap-2 rounded-sm px-2 py-1 ' +
  'text-left text-base outline-none ' +
  'data-highlighted:bg-hover data-disabled:text-faint';
