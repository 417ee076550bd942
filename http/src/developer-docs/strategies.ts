import { type Html, html } from '@quantloom/domain/kernel/html';
import { INDICATORS, isFilterSortName } from '@quantloom/domain/strategy/indicator';
import type { ParameterInfo } from '@quantloom/domain/strategy/indicator-table';
import { FIELDS } from '@quantloom/domain/strategy/node-fields';
import { MAX_NESTING, MAX_NODES } from '@quantloom/domain/strategy/structure';

/** What each type of block does; a test holds it against the fields that the product reads. */
export const BLOCK_MEANINGS: Readonly<Record<string, string>> = {
  root: 'The strategy itself, once, around everything. rebalance is "daily" (the default), "weekly", "monthly", "quarterly" or "yearly" on the "first" or "last" day (rebalance_on), "never", or "corridor": when a weight is more than corridor percentage points off.',
  group: 'Blocks under a name.',
  'wt-cash-equal': 'Its children in equal parts.',
  'wt-cash-specified': 'Its children by their own weight, num / den.',
  'wt-inverse-volatility':
    'Its children by the inverse of their volatility over params.window days: the calmer, the more.',
  asset: 'Holds ticker.',
  'if-then-else':
    'then_children on days when the conditions hold ("allOf" or "anyOf" of them, in condition_type), else_children on the others.',
  condition:
    'Compares lhs_fn of lhs_val by comparator ("gt", "lt", "eq", "gte", "lte") with rhs_fn of rhs_val, or with the number in rhs_val where rhs_fixed_val is true. The functions take lhs_fn_params and rhs_fn_params. A side may look lhs_days_ago or rhs_days_ago back, the right side counts as value * rhs_scale + rhs_offset, and all of it must have been true for_days in a row.',
  'condition-group':
    'Conditions and further groups in the place of one condition, joined by condition_type ("allOf" or "anyOf"); at most 8 around each other.',
  filter:
    'Of its children the select.num at the "top" or "bottom" (select.fn) by sort.fn with sort.params. The chosen weigh the same, or as weighting says: {"type": "inverse-volatility", "window": 20}, or {"type": "by-rank", "weights": [{"num": 60, "den": 100}]}.',
};

/** `window 1 to 2,000`, `slow 1 to 2,000, 26 by default`. */
function parameterText({ name, min, max, default: preset }: ParameterInfo): string {
  const range = max === null ? `from ${min}` : `${min} to ${max.toLocaleString('en-US')}`;
  return `${name} ${range}${preset === null ? '' : `, ${preset} by default`}`;
}

/** The section on what the API takes as a strategy. */
export function strategySection(): Html {
  return html`<section id="strategies" aria-labelledby="strategies-title">
      <h2 id="strategies-title">Strategies</h2>
      <p>A strategy is a tree of blocks: <code>algorithm</code> of a trading bot or template, <code>trading_bot</code> of a backtest. Every block has an <code>id</code> of its own
      (<code>node_</code> and a ULID), its <code>node_type</code>, a <code>weight</code> of <code>{"num": 50, "den": 100}</code> and <code>is_collapsed</code>, and what its type needs.
      At most ${MAX_NODES.toLocaleString('en-US')} blocks, nested at most ${MAX_NESTING} deep. A refusal names the block in <code>errors[].nodeId</code>.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Types of blocks"><table><thead><tr><th scope="col">node_type</th><th scope="col">Fields</th><th scope="col">Meaning</th></tr></thead><tbody>
      ${Object.entries(FIELDS).map(
        ([type, fields]) =>
          html`<tr><td><code>${type}</code></td><td>${fields.map((field) => html`<code>${field}</code> `)}</td><td>${BLOCK_MEANINGS[type] ?? ''}</td></tr>`,
      )}
      </tbody></table></div>
      <div class="scroll" tabindex="0" role="region" aria-label="Functions"><table><thead><tr><th scope="col">Function</th><th scope="col">Meaning</th><th scope="col">Parameters</th><th scope="col">Filters sort by it</th></tr></thead><tbody>
      ${Object.entries(INDICATORS).map(
        ([name, { label, parameters, isPair }]) =>
          html`<tr><td><code>${name}</code></td><td>${label}</td><td>${parameters.length === 0 ? 'none' : parameters.map(parameterText).join('; ')}${isPair ? '; with: the second series' : ''}</td><td>${isFilterSortName(name) ? 'yes' : 'no'}</td></tr>`,
      )}
      </tbody></table></div>
      <p>In a template a word that begins with <code>$</code>, such as <code>$WINDOW</code>, stands in place of a ticker or a number; a batch gives the values of each.</p>
    </section>`;
}
