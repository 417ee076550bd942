/** Where a user lands who signed in at one of these. */
const ENTRANCES = new Set(['', '/', '/login', '/register', '/auth/callback']);

/**
 * The path a user returns to after sign-in: the one he was on, `/drafts` from the public entrances. Only
 * paths of this origin pass, so that a crafted link cannot send anybody elsewhere.
 */
export function returnTarget(from: string | null | undefined): string {
  if (!from?.startsWith('/') || /^\/[/\\]/.test(from)) return '/drafts';
  const pathname = from.split(/[?#]/, 1)[0] ?? '';
  return ENTRANCES.has(pathname) ? '/drafts' : from;
}
