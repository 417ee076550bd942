import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { VariableListEvent } from './events.ts';
import { cleanTickers, linesOfFile } from './tickers.ts';
import { type VariableListCommand, type VariableListState, variableListStream } from './variable-list.ts';

const listId = 'l1';
const content = { name: 'L', isPublic: false, variables: ['SPY', 'QQQ'] };
const created: VariableListEvent = {
  type: 'VariableListCreated',
  data: { listId, ownerId: 'owner', ...content },
};
const published: VariableListEvent = {
  type: 'VariableListUpdated',
  data: { listId, ...content, isPublic: true },
};
const deleted: VariableListEvent = { type: 'VariableListDeleted', data: { listId } };
const create = { type: 'CreateVariableList', listId, callerId: 'owner', ...content } as const;
const update = { type: 'UpdateVariableList', callerId: 'owner' } as const;

describe('a variable list', () => {
  it('is created from what is a ticker', () => {
    given(variableListStream).when(create).thenEvents(created);
    given(variableListStream)
      .when({ ...create, name: ' L ', variables: [' spy', 'qqq', 'SPY', '---'] })
      .thenEvents(created);
    given(variableListStream)
      .when({ ...create, name: ' ' })
      .thenRefused(422, 'invalid_name');
    given(variableListStream)
      .when({ ...create, name: 'x'.repeat(201) })
      .thenRefused(422, 'invalid_name');
    given(variableListStream)
      .when({ ...create, variables: [] })
      .thenRefused(422, 'invalid_variables');
    given(variableListStream)
      .when({ ...create, variables: ['!'] })
      .thenRefused(422, 'invalid_variables');
    const many = Array.from({ length: 20_001 }, (_, index) => `T${index}`);
    given(variableListStream)
      .when({ ...create, variables: many })
      .thenRefused(422, 'too_many_variables');
    given(variableListStream, created).when(create).thenRefused(409, 'variable_list_exists');
  });

  it('takes spaces and quotes off both ends of a line, and looks through what is between once', () => {
    expect(cleanTickers(['  "SPY" ', "' q q q \"'", '\uFEFF"tlt', '" \' "', '']).tickers).toEqual([
      'SPY',
      'QQQ',
      'TLT',
    ]);
    // It would take minutes where each space was tried as the first of those at the end.
    expect(cleanTickers([`a${' '.repeat(400_000)}a`]).tickers).toEqual(['AA']);
  });

  it('is cloned as a private copy with another name', () => {
    const source = { listId: 'l0', ...content, isPublic: true };
    given(variableListStream)
      .when({ type: 'CloneVariableList', listId, callerId: 'me', source })
      .thenEvents({
        type: 'VariableListCloned',
        data: { listId, ownerId: 'me', ...content, name: 'L (Copy)', sourceId: 'l0' },
      });
    const long = given(variableListStream).when({
      type: 'CloneVariableList',
      listId,
      callerId: 'me',
      source: { ...source, name: 'x'.repeat(200) },
    });
    long.thenTypes('VariableListCloned');
    given(variableListStream, created)
      .when({ type: 'CloneVariableList', listId, callerId: 'me', source })
      .thenRefused(409, 'variable_list_exists');
  });

  it('is changed, deleted, brought back and restored by its owner', () => {
    given(variableListStream, created).when(update).thenEvents();
    given(variableListStream, created)
      .when({ ...update, isPublic: true })
      .thenEvents(published);
    given(variableListStream, created)
      .when({ ...update, variables: ['?'] })
      .thenRefused(422, 'invalid_variables');
    given(variableListStream, created)
      .when({ type: 'DeleteVariableList', callerId: 'owner' })
      .thenEvents(deleted);
    given(variableListStream, created, deleted)
      .when({ type: 'UndoVariableListDeletion', callerId: 'owner' })
      .thenEvents({ type: 'VariableListDeletionUndone', data: { listId } });
    given(variableListStream, created)
      .when({ type: 'UndoVariableListDeletion', callerId: 'owner' })
      .thenEvents();
    given(variableListStream, created, published)
      .when({
        type: 'RestoreVariableList',
        callerId: 'owner',
        from: { revision: 0, ...content, variables: ['TLT'] },
      })
      .thenEvents({
        type: 'VariableListRestored',
        data: { listId, fromRevision: 0, ...content, isPublic: true, variables: ['TLT'] },
      });
  });

  it.each<VariableListCommand>([
    update,
    { type: 'DeleteVariableList', callerId: 'owner' },
    { type: 'RestoreVariableList', callerId: 'owner', from: { revision: 0, ...content } },
  ])('hides from $type of strangers while it is private, and everybody once it is deleted', (command) => {
    const foreign = { ...command, callerId: 'stranger' };
    given(variableListStream).when(command).thenRefused(404, 'variable_list_not_found');
    given(variableListStream, created).when(foreign).thenRefused(404, 'variable_list_not_found');
    given(variableListStream, created, published).when(foreign).thenRefused(403, 'not_owner');
    given(variableListStream, created, deleted).when(command).thenRefused(404, 'variable_list_not_found');
    given(variableListStream, created, published, deleted)
      .when(foreign)
      .thenRefused(404, 'variable_list_not_found');
  });

  it('keeps its rules through any sequence of commands', () => {
    const { decider } = variableListStream;
    const text = fc.record({
      name: fc.string({ maxLength: 6 }),
      isPublic: fc.boolean(),
      variables: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 5 }),
    });
    const callerId = fc.constantFrom('owner', 'stranger');
    const command: fc.Arbitrary<VariableListCommand> = fc.oneof(
      fc.tuple(text, callerId).map(([given, caller]) => ({ ...create, ...given, callerId: caller })),
      fc.tuple(text, callerId).map(([given, caller]) => ({ ...update, ...given, callerId: caller })),
      fc.tuple(text, callerId).map(([given, caller]) => ({
        type: 'RestoreVariableList' as const,
        callerId: caller,
        from: { revision: 0, ...given },
      })),
      fc.record({
        type: fc.constantFrom('DeleteVariableList' as const, 'UndoVariableListDeletion' as const),
        callerId,
      }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let state: VariableListState = decider.initialState;
        for (const next of commands) {
          const decided = decider.decide(next, state);
          if (isRefusal(decided)) continue;
          for (const event of decided) state = decider.evolve(state, event);
          if (state.status === 'none') throw new Error('A command left no list');
          expect(next.callerId).toBe(state.ownerId);
          expect(state.name.trim()).toBe(state.name);
          expect(state.name).not.toBe('');
          expect(state.variables.length).toBeGreaterThan(0);
          expect(new Set(state.variables).size).toBe(state.variables.length);
          for (const ticker of state.variables) expect(ticker).toMatch(/^[A-Z0-9:.\-/]{1,10}$/);
        }
      }),
    );
  });
});

describe('lines of tickers', () => {
  it('are cleaned to themselves', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (lines) => {
        const { tickers } = cleanTickers(lines);
        expect(cleanTickers(tickers)).toEqual({ tickers, dropped: [], changed: [] });
      }),
    );
  });
  it('keep numbers and share classes, and tell what stripping has changed', () => {
    const lines = [
      '0.5, -5; 1.5',
      '+2',
      '.25',
      ' brk.b ',
      '$spy',
      'BF/B',
      '12345678901',
      '1.2.3',
      '\uFEFF"qqq"',
    ];
    expect(cleanTickers(lines)).toEqual({
      tickers: ['0.5', '-5', '1.5', '2', '.25', 'BRK.B', 'SPY', 'BF/B', '123', 'QQQ'],
      dropped: ['12345678901'],
      changed: [
        { from: '$spy', to: 'SPY' },
        { from: '1.2.3', to: '123' },
      ],
    });
  });
  it('come from .txt and .csv files only', () => {
    const read = (name: string, text: string) => {
      const lines = linesOfFile(name, text);
      return lines && cleanTickers(lines).tickers;
    };
    expect(read('a.txt', '\uFEFFspy\r\nqqq\n\ntlt')).toEqual(['SPY', 'QQQ', 'TLT']);
    expect(read('a.CSV', '"SPY",QQQ;TLT\nGLD')).toEqual(['SPY', 'QQQ', 'TLT', 'GLD']);
    expect(read('a.xlsx', 'SPY')).toBeNull();
    expect(read('csv', 'SPY')).toEqual(['SPY']);
  });
});
