import { messageOf } from '../lib/api.ts';
import { toast } from './toast.tsx';

/** Says in a toast why something could not be done. */
export function tellFailure(reason: unknown): void {
  toast.error(messageOf(reason));
}
