import { FetchedPopup, fetchedPart } from './fetched.tsx';
import type { MenuProps } from './MenuPopup.tsx';

const popup = fetchedPart(async () => (await import('./MenuPopup.tsx')).MenuPopup);
const KEYS = ['ArrowDown', 'ArrowUp'];

/** A menu of actions below its trigger. */
export function Menu(props: MenuProps) {
  return <FetchedPopup part={popup} props={props} kind="menu" keys={KEYS} />;
}
