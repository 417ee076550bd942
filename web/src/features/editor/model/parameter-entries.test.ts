import { expect, it } from 'vitest';
import { parameterFaults, parameterTexts, storedParameters, textsFor } from './parameter-entries.ts';

it('fills defaults in, and keeps what was typed when another function takes it too', () => {
  const macd = parameterTexts('macd', {});
  expect(macd).toMatchObject({ fast: '12', slow: '26' });
  const signal = textsFor('macd-signal', { ...macd, slow: '$SLOW' });
  expect(signal).toMatchObject({ fast: '12', slow: '$SLOW', signal: '9' });
  expect(storedParameters('macd-signal', signal)).toEqual({ fast: 12, slow: '$SLOW', signal: 9 });
});

it('stores what the function takes and nothing else', () => {
  const texts = { window: '20', deviations: '1.5', fast: '3', with: 'TLT' };
  expect(storedParameters('bollinger-upper', texts)).toEqual({ window: 20, deviations: 1.5 });
  expect(storedParameters('correlation', texts)).toEqual({ window: 20, with: 'TLT' });
  expect(storedParameters('momentum-13612w', texts)).toEqual({});
  // But for the window beside a price, without which stored strategies would look changed.
  expect(storedParameters('current-price', texts)).toEqual({ window: 20 });
});

it('says at each field what cannot stand there', () => {
  expect(parameterFaults('correlation', { window: '1' }).window).toContain('from 2 to 2000');
  expect(parameterFaults('bollinger-lower', { window: '20', deviations: '-1' }).deviations).toContain(
    'at least 0',
  );
  expect(parameterFaults('macd', { fast: '26', slow: '26' }).fast).toContain('shorter than the slow one, 26');
  expect(parameterFaults('macd', { fast: '$F', slow: '26' })).toEqual({});
});
