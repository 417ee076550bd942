import { rsiSwitch } from '../harness/templates.ts';

/** A strategy of another tool, and a template with 1,000 combinations. */
export function thousandRows() {
  return {
    source: '(defsymphony "Half" {} (weight-equal [(asset "SPY" "SPY") (asset "TLT" "TLT")]))',
    template: { name: 'RSI switch', variables: ['$W', '$A', '$B'], algorithm: rsiSwitch() },
    variables: {
      $W: Array.from({ length: 250 }, (_, i) => i + 2),
      $A: ['SPY', 'QQQ'],
      $B: ['TLT', 'GLD'],
    },
  };
}
