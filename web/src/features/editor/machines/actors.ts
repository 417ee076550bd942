import type { ActorRefFrom } from 'xstate';
import type { editorMachine } from './editor.machine.ts';
import type { runMachine } from './run.machine.ts';

/** The machine at work behind the strategy that is edited. */
export type EditorActor = ActorRefFrom<typeof editorMachine>;
/** The machine at work behind its backtest. */
export type RunActor = ActorRefFrom<typeof runMachine>;
