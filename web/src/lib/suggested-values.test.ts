// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { rememberSuggested, suggestedTexts } from './suggested-values.ts';

beforeEach(() => sessionStorage.clear());

it('keeps what is suggested for each variable, the last suggestion for one that has several', () => {
  expect(suggestedTexts()).toEqual({});
  rememberSuggested({ $W: '10\n20', $A: 'SPY' });
  rememberSuggested({ $W: '30' });
  expect(suggestedTexts()).toEqual({ $W: '30', $A: 'SPY' });
});

it('suggests nothing where what is stored cannot be read', () => {
  for (const broken of ['{', 'null', '7']) {
    sessionStorage.setItem('suggested-values', broken);
    expect(suggestedTexts()).toEqual({});
  }
});
