import { parser } from '@prometheus-io/lezer-promql';

/**
 * What is wrong with an expression by the grammar of Prometheus itself, and the names of the metrics that it
 * asks for.
 */
export function readExpression(expression: string): {
  readonly faults: readonly string[];
  readonly metrics: readonly string[];
} {
  const faults: string[] = [];
  const metrics = new Set<string>();
  parser.parse(expression).iterate({
    enter: ({ type, name, from, to, node }) => {
      if (type.isError) faults.push(`at ${from}: ${expression.slice(Math.max(0, from - 10), to + 10)}`);
      // The name of a metric, not of a label or a function.
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector')
        metrics.add(expression.slice(from, to));
    },
  });
  return { faults, metrics: [...metrics] };
}
