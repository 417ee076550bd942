import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';
import { LONGEST_VIEW_NAME, readViewContent, type ViewContent, viewText } from './view-content.ts';

/** The events of a `resultViews-{userId}` stream: how somebody looks at the results of batches, under names. */
export const RESULT_VIEW_EVENTS = defineStream({
  category: 'resultViews',
  events: {
    /** A new view, or what one shows from now on. `content` is a `ViewContent` as JSON: the log seals texts. */
    ResultViewSaved: exactly({ userId: Id, viewId: Id, name: Text, content: Text }),
    ResultViewRenamed: exactly({ userId: Id, viewId: Id, name: Text }),
    ResultViewDeleted: exactly({ userId: Id, viewId: Id }),
    /** The view that batches open with; null: none. */
    DefaultResultViewChosen: exactly({ userId: Id, viewId: NullableText }),
  },
});
export type ResultViewEvent = EventOf<typeof RESULT_VIEW_EVENTS>;

interface Change {
  readonly userId: string;
  readonly viewId: string;
}
export type ResultViewCommand =
  | (Change & {
      readonly type: 'CreateResultView';
      readonly name: string;
      readonly content: ViewContent;
      readonly isDefault: boolean;
    })
  /** What is left out stays as it is. */
  | (Change & {
      readonly type: 'ChangeResultView';
      readonly name?: string | undefined;
      readonly content?: Partial<ViewContent> | undefined;
      readonly isDefault?: boolean | undefined;
    })
  | (Change & { readonly type: 'DeleteResultView' });

export interface ResultView extends ViewContent {
  readonly id: string;
  readonly name: string;
}

export interface ResultViewsState {
  /** In the order in which they were made. */
  readonly views: readonly ResultView[];
  readonly defaultId: string | null;
}

/** More than anybody tells apart by name. */
export const MOST_RESULT_VIEWS = 50;
export const NO_RESULT_VIEWS: ResultViewsState = { views: [], defaultId: null };

const NOT_FOUND = refuse(404, 'result_view_not_found', 'There is no such view.');
const TOO_MANY = refuse(
  422,
  'too_many_result_views',
  `An account keeps at most ${MOST_RESULT_VIEWS} views. Delete one that you no longer need first.`,
);
const NAMELESS = refuse(422, 'name_missing', 'A view needs a name.');
const TOO_LONG = refuse(
  422,
  'name_too_long',
  `The name of a view has at most ${LONGEST_VIEW_NAME} characters.`,
);
const taken = (name: string) =>
  refuse(
    409,
    'result_view_name_taken',
    `You already have a view called “${name}”. Choose another name, or change that view.`,
  );

/** What is wrong with a name for this view; null: nothing. Names that differ in capitals alone are the same name. */
function nameRefusal({ views }: ResultViewsState, viewId: string, name: string): Refusal | null {
  if (name === '') return NAMELESS;
  if (name.length > LONGEST_VIEW_NAME) return TOO_LONG;
  const same = views.find((one) => one.id !== viewId && one.name.toLowerCase() === name.toLowerCase());
  return same ? taken(same.name) : null;
}

const chosen = (userId: string, viewId: string | null): ResultViewEvent => ({
  type: 'DefaultResultViewChosen',
  data: { userId, viewId },
});

function create(
  state: ResultViewsState,
  command: ResultViewCommand & { readonly type: 'CreateResultView' },
): readonly ResultViewEvent[] | Refusal {
  const { userId, viewId, content, isDefault } = command;
  if (state.views.some(({ id }) => id === viewId)) return [];
  if (state.views.length >= MOST_RESULT_VIEWS) return TOO_MANY;
  const name = command.name.trim();
  const refusal = nameRefusal(state, viewId, name);
  if (refusal) return refusal;
  const data = { userId, viewId, name, content: viewText(content) };
  return [{ type: 'ResultViewSaved', data }, ...(isDefault ? [chosen(userId, viewId)] : [])];
}

function change(
  state: ResultViewsState,
  view: ResultView,
  command: ResultViewCommand & { readonly type: 'ChangeResultView' },
): readonly ResultViewEvent[] | Refusal {
  const { userId, viewId, content, isDefault } = command;
  const name = command.name?.trim() ?? view.name;
  const refusal = name === view.name ? null : nameRefusal(state, viewId, name);
  if (refusal) return refusal;
  const events: ResultViewEvent[] = [];
  const text = viewText({ ...view, ...content });
  if (text !== viewText(view))
    events.push({ type: 'ResultViewSaved', data: { userId, viewId, name, content: text } });
  else if (name !== view.name) events.push({ type: 'ResultViewRenamed', data: { userId, viewId, name } });
  const isNow = state.defaultId === viewId;
  if (isDefault !== undefined && isDefault !== isNow) events.push(chosen(userId, isDefault ? viewId : null));
  return events;
}

function evolve(state: ResultViewsState, event: ResultViewEvent): ResultViewsState {
  const { views, defaultId } = state;
  const { viewId } = event.data;
  switch (event.type) {
    case 'DefaultResultViewChosen':
      return { views, defaultId: viewId };
    case 'ResultViewDeleted':
      return {
        views: views.filter(({ id }) => id !== viewId),
        defaultId: defaultId === viewId ? null : defaultId,
      };
    case 'ResultViewRenamed': {
      const { name } = event.data;
      return { views: views.map((view) => (view.id === viewId ? { ...view, name } : view)), defaultId };
    }
    case 'ResultViewSaved': {
      const content = readViewContent(event.data.content);
      if (!content) return state;
      const saved = { id: event.data.viewId, name: event.data.name, ...content };
      return {
        views: views.some(({ id }) => id === saved.id)
          ? views.map((view) => (view.id === saved.id ? saved : view))
          : [...views, saved],
        defaultId,
      };
    }
  }
}

/** Saving what is there already, or choosing the default view again, changes nothing. */
export const resultViewsStream: StreamKind<ResultViewCommand, ResultViewsState, ResultViewEvent> = {
  ...RESULT_VIEW_EVENTS,
  decider: {
    initialState: NO_RESULT_VIEWS,
    decide: (command, state) => {
      if (command.type === 'CreateResultView') return create(state, command);
      const { userId, viewId } = command;
      const view = state.views.find(({ id }) => id === viewId);
      if (!view) return NOT_FOUND;
      return command.type === 'DeleteResultView'
        ? [{ type: 'ResultViewDeleted', data: { userId, viewId } }]
        : change(state, view, command);
    },
    evolve,
  },
};

/** The views of a user; `id` is the user's. */
export interface ResultViewsDocument extends ReadDocument, ResultViewsState {}

export const resultViewsProjection: Projection<ResultViewsDocument> = defineProjection({
  name: 'result_views',
  version: 1,
  collection: { name: 'result_views_v1', indexes: [] },
  events: [RESULT_VIEW_EVENTS, only(USER_EVENTS, 'AccountErased')],
  keys: (event) => [event.data.userId],
  evolve: (document, event, id) =>
    event.type === 'AccountErased' ? null : { id, ...evolve(document ?? NO_RESULT_VIEWS, event) },
});
