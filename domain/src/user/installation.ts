import type { Decider } from '../kernel/decider.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { type FirstAccountClaimed, INSTALLATION_EVENTS } from './events.ts';

export type InstallationCommand = { readonly type: 'ClaimFirstAccount'; readonly userId: string };
export interface InstallationState {
  readonly firstUserId: string | null;
}

/** The id of the only installation stream. */
export const INSTALLATION_ID = 'main';

/**
 * Who had the first account: decided once, in a stream of its own, so that two newcomers at the same instant
 * can't both have it.
 */
export const installationDecider: Decider<InstallationCommand, InstallationState, FirstAccountClaimed> = {
  initialState: { firstUserId: null },
  decide: ({ userId }, { firstUserId }) =>
    firstUserId === null ? [{ type: 'FirstAccountClaimed', data: { userId } }] : [],
  evolve: (_state, event) => ({ firstUserId: event.data.userId }),
};

/** Stream `installation-main`. */
export const INSTALLATION_STREAM: StreamKind<InstallationCommand, InstallationState, FirstAccountClaimed> = {
  ...INSTALLATION_EVENTS,
  decider: installationDecider,
};
