import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { beforeEach, describe, expect, it } from 'vitest';
import { draftKey, dropDraft, readDraft, writeDraft } from './local-draft.ts';
import { problemsOf, problemWords } from './problems.ts';

let count = 0;
const algorithm = newAlgorithm(() => `node_${++count}`);
const draft = {
  document: { name: 'Mine', isPublic: true, algorithm },
  revision: 4,
  at: '2026-01-02T03:04:05.000Z',
};
beforeEach(() => localStorage.clear());

describe('the local draft', () => {
  it('comes back as it was kept, and not after it was dropped', () => {
    const key = draftKey('ada', 's1');
    expect(writeDraft(key, draft)).toBe(true);
    expect(readDraft(key)).toEqual(draft);
    expect(readDraft(draftKey('bob', 's1'))).toBeNull();
    dropDraft(key);
    expect(readDraft(key)).toBeNull();
  });
  it('knows the first revision from none', () => {
    for (const revision of [0, null]) {
      writeDraft('k', { ...draft, revision });
      expect(readDraft('k')?.revision).toBe(revision);
    }
  });
  it('is public only where it says so', () => {
    const { isPublic: _, ...unsaid } = draft.document;
    for (const [document, isPublic] of [
      [unsaid, false],
      [{ ...unsaid, isPublic: 'true' }, false],
      [{ ...unsaid, isPublic: false }, false],
      [draft.document, true],
    ] as const) {
      localStorage.setItem('k', JSON.stringify({ ...draft, document }));
      expect(readDraft('k')?.document.isPublic).toBe(isPublic);
    }
  });
  it('is nothing when another program wrote it or it is no strategy', () => {
    for (const text of ['{', '7', 'null', '{"document":{"algorithm":{"node_type":"asset"}}}']) {
      localStorage.setItem('k', text);
      expect(readDraft('k')).toBeNull();
    }
  });
  it('keeps one draft per tab for strategies that were never saved', () => {
    expect(draftKey('ada', 'new', () => 'one')).not.toBe(draftKey('ada', 'new', () => 'two'));
    expect(draftKey('ada', 's1', () => 'one')).toBe(draftKey('ada', 's1', () => 'two'));
  });
  it('says when the storage refuses', () => {
    const full = {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    } as unknown as Storage;
    expect(writeDraft('k', draft, full)).toBe(false);
  });
});

describe('problems', () => {
  it('has none for an untouched strategy and words without ids for others', () => {
    expect(problemsOf(algorithm)).toEqual([]);
    expect(problemWords({ code: 'x', message: 'Filter (node_01h) has the window 0' })).toBe(
      'Filter has the window 0',
    );
  });
});
