import { type Html, html } from '@quantloom/domain/kernel/html';
import { MEANINGS } from '@quantloom/domain/strategy/block-meanings';
import { FIELDS } from '@quantloom/domain/strategy/block-table';
import { INDICATORS, isFilterSortName } from '@quantloom/domain/strategy/indicator';
import type { ParameterInfo } from '@quantloom/domain/strategy/indicator-table';
import { MAX_NESTING, MAX_NODES } from '@quantloom/domain/strategy/structure';

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
      ${Object.entries(MEANINGS).map(
        ([type, meaning]) =>
          html`<tr><td><code>${type}</code></td><td>${(FIELDS[type] ?? []).map((field) => html`<code>${field}</code> `)}</td><td>${meaning}</td></tr>`,
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
