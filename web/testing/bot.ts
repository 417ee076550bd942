import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';

/** A saved strategy of Ann's as the server answers it. */
export const botOf = (over: object = {}) => ({
  id: 'b1',
  name: 'Core holding',
  type: 'bot',
  is_public: false,
  user_id: 'ann',
  revision: 3,
  tags: [],
  algorithm: { ...strategyOfText('if RSI(SPY, 10) > 79 then TLT else SPY'), name: 'Core holding' },
  hold_out: null,
  ...over,
});
