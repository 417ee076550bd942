import { describe, expect, it } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { ERASED } from '../personal-data.ts';
import {
  MOST_RESULT_VIEWS,
  type ResultViewCommand,
  type ResultViewEvent,
  resultViewsProjection,
  resultViewsStream,
} from './result-views.ts';
import { LONGEST_VIEW_NAME, readViewContent, type ViewContent, viewText } from './view-content.ts';

const { decider } = resultViewsStream;
const userId = 'u1';
const CONTENT: ViewContent = {
  columns: ['$W', 'sharpe_ratio', 'trades'],
  order: { by: 'column', column: 'trades', direction: 'asc' },
  filters: [{ column: '$W', op: 'gte', text: '20' }],
  picture: 'heat-map',
  metric: 'max_drawdown',
};
const OTHER: ViewContent = {
  ...CONTENT,
  filters: [],
  order: { by: 'neighbourhood', metric: 'calmer_ratio' },
};

const saved = (viewId: string, name: string, content = CONTENT): ResultViewEvent => ({
  type: 'ResultViewSaved',
  data: { userId, viewId, name, content: viewText(content) },
});
const renamed = (viewId: string, name: string): ResultViewEvent => ({
  type: 'ResultViewRenamed',
  data: { userId, viewId, name },
});
const deleted = (viewId: string): ResultViewEvent => ({
  type: 'ResultViewDeleted',
  data: { userId, viewId },
});
const preferred = (viewId: string | null): ResultViewEvent => ({
  type: 'DefaultResultViewChosen',
  data: { userId, viewId },
});
const create = (viewId: string, name: string, isDefault = false): ResultViewCommand => ({
  type: 'CreateResultView',
  userId,
  viewId,
  name,
  content: CONTENT,
  isDefault,
});
const change = (
  viewId: string,
  what: Partial<ResultViewCommand & { type: 'ChangeResultView' }>,
): ResultViewCommand => ({ type: 'ChangeResultView', userId, viewId, ...what });
const remove = (viewId: string): ResultViewCommand => ({ type: 'DeleteResultView', userId, viewId });

const given = (...events: ResultViewEvent[]) => ({
  when: (command: ResultViewCommand) =>
    decider.decide(command, events.reduce(decider.evolve, decider.initialState)),
  state: () => events.reduce(decider.evolve, decider.initialState),
});
const codeOf = (decided: unknown) => isRefusal(decided) && [decided.status, decided.code];

describe('a view of results', () => {
  it('given nothing, when one is made, then it is saved under its trimmed name', () => {
    expect(given().when(create('a', ' Costs '))).toEqual([saved('a', 'Costs')]);
    expect(given(saved('a', 'Costs')).state()).toEqual({
      views: [{ id: 'a', name: 'Costs', ...CONTENT }],
      defaultId: null,
    });
  });

  it('given one, when the same command comes again, then nothing happens', () => {
    expect(given(saved('a', 'Costs')).when(create('a', 'Costs'))).toEqual([]);
  });

  it('given one, when another is to have its name, then that is refused, in capitals too', () => {
    const one = given(saved('a', 'Costs'), saved('b', 'Risk'));
    for (const command of [create('c', 'Costs'), create('c', 'COSTS '), change('b', { name: 'costs' })])
      expect(codeOf(one.when(command))).toEqual([409, 'result_view_name_taken']);
    expect(one.when(change('a', { name: 'COSTS' }))).toEqual([renamed('a', 'COSTS')]);
    expect(given(saved('a', 'Costs'), deleted('a')).when(create('c', 'Costs'))).toEqual([
      saved('c', 'Costs'),
    ]);
  });

  it('given any, when a name is empty or too long, then that is refused', () => {
    expect(codeOf(given().when(create('a', '  ')))).toEqual([422, 'name_missing']);
    expect(codeOf(given(saved('a', 'Costs')).when(change('a', { name: '' })))).toEqual([422, 'name_missing']);
    const longest = 'x'.repeat(LONGEST_VIEW_NAME);
    expect(given().when(create('a', longest))).toEqual([saved('a', longest)]);
    expect(codeOf(given().when(create('a', `${longest}x`)))).toEqual([422, 'name_too_long']);
  });

  it('given as many as there may be, when one more is made, then the limit is said; after a deletion there is room', () => {
    const all = Array.from({ length: MOST_RESULT_VIEWS }, (_, i) => saved(`v${i}`, `View ${i}`));
    const refusal = given(...all).when(create('more', 'One more'));
    expect(codeOf(refusal)).toEqual([422, 'too_many_result_views']);
    expect(isRefusal(refusal) && refusal.detail).toContain('at most 50 views');
    expect(given(...all, deleted('v7')).when(create('more', 'One more'))).toEqual([
      saved('more', 'One more'),
    ]);
    expect(given(...all).when(change('v7', { name: 'Seven' }))).toEqual([renamed('v7', 'Seven')]);
  });

  it('given one, when it is changed, then what is left out stays, and no change is no event', () => {
    const one = given(saved('a', 'Costs'));
    expect(one.when(change('a', { content: OTHER, name: 'Risk' }))).toEqual([saved('a', 'Risk', OTHER)]);
    expect(one.when(change('a', { content: { columns: ['trades'] } }))).toEqual([
      saved('a', 'Costs', { ...CONTENT, columns: ['trades'] }),
    ]);
    expect(one.when(change('a', { name: 'Costs', content: CONTENT, isDefault: false }))).toEqual([]);
    expect(given(saved('a', 'Costs'), renamed('a', 'Risk'), saved('a', 'Risk', OTHER)).state().views).toEqual(
      [{ id: 'a', name: 'Risk', ...OTHER }],
    );
  });

  it('given two, when one becomes the default, then it is the only one, until it is not wanted or is deleted', () => {
    const two = [saved('a', 'Costs'), saved('b', 'Risk')];
    expect(given(...two).when(change('a', { isDefault: true }))).toEqual([preferred('a')]);
    const first = [...two, preferred('a')];
    expect(given(...first).when(change('a', { isDefault: true }))).toEqual([]);
    expect(given(...first).when(change('b', { isDefault: false }))).toEqual([]);
    expect(given(...first).when(change('b', { isDefault: true }))).toEqual([preferred('b')]);
    expect(given(...first, preferred('b')).state().defaultId).toBe('b');
    expect(given(...first).when(change('a', { isDefault: false }))).toEqual([preferred(null)]);
    expect(given(...first, deleted('a')).state()).toMatchObject({ views: [{ id: 'b' }], defaultId: null });
    expect(given(...first, deleted('b')).state().defaultId).toBe('a');
    expect(given().when(create('c', 'New', true))).toEqual([saved('c', 'New'), preferred('c')]);
  });

  it('given none, or one that was deleted, when it is changed or deleted, then there is none', () => {
    for (const history of [given(), given(saved('a', 'Costs'), deleted('a'))])
      for (const command of [change('a', { name: 'X' }), remove('a')])
        expect(codeOf(history.when(command))).toEqual([404, 'result_view_not_found']);
    expect(given(saved('a', 'Costs')).when(remove('a'))).toEqual([deleted('a')]);
  });
});

describe('what a view shows', () => {
  it('is read as it was written', () => {
    for (const content of [CONTENT, OTHER, { ...CONTENT, order: null }])
      expect(readViewContent(viewText(content))).toEqual(content);
  });

  it('is left out where it cannot be read, as after its owner’s key was erased', () => {
    for (const text of [ERASED, '', '7', 'null']) expect(readViewContent(text)).toBeNull();
    const sealed: ResultViewEvent = {
      type: 'ResultViewSaved',
      data: { userId, viewId: 'a', name: ERASED, content: ERASED },
    };
    expect(given(sealed).state().views).toEqual([]);
    expect(
      readViewContent(
        JSON.stringify({
          columns: [1, 'n'],
          order: { by: 'x' },
          filters: [null, { column: 'n' }],
          picture: 'x',
        }),
      ),
    ).toEqual({ columns: ['n'], order: null, filters: [], picture: 'table', metric: 'sharpe_ratio' });
  });

  it('is gone with the account', () => {
    const document = { id: userId, _revision: 0, _position: '0', views: [], defaultId: null };
    const erased = { type: 'AccountErased', data: { userId } } as never;
    expect(resultViewsProjection.evolve(document, erased, userId)).toBeNull();
    expect(resultViewsProjection.keys(erased)).toEqual([userId]);
  });
});
