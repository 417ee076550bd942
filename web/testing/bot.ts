import { listDrafts, listFollows, listTickers } from '@quantloom/domain/contracts/http/calls';
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

/** What the editor asks for beside its strategy, where there is nothing else: for `answer`. */
export const NOTHING_ELSE = [
  [listTickers, () => ({ data: [] })],
  [listDrafts, () => ({ body: [], headers: new Headers() })],
  [listFollows, () => []],
] as const;
