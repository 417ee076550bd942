import { act } from '@testing-library/react';
import type { Data, Layout } from 'plotly.js';
import type { PlotProps } from '../src/ui/plot/Plot.tsx';
import type { ChartColors } from '../src/ui/plot/theme.ts';

/** Colours by name, so that a test says which one it means. */
export const COLORS: ChartColors = {
  ink: 'ink',
  muted: 'muted',
  line: 'line',
  surface: 'surface',
  raised: 'raised',
  gain: 'gain',
  loss: 'loss',
  series: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'],
};

let drawn: { readonly element: Element; readonly props: PlotProps }[] = [];

/** Stands where a chart would be drawn, and keeps what it was given. */
export function SeenChart(props: PlotProps) {
  return (
    <div
      role="img"
      aria-label={props.description}
      ref={(element) => {
        if (element) drawn = [...drawn.filter((one) => one.element.isConnected), { element, props }];
      }}
    />
  );
}

type Seen = Omit<PlotProps, 'data' | 'layout'> & {
  readonly data: readonly (Data & Readonly<Record<string, unknown>>)[];
  readonly layout: Partial<Layout>;
};

/** What the chart on the page draws whose description holds the words, in the colours of `COLORS`. */
export function chart(words: string): Seen {
  const found = drawn.findLast(
    ({ element, props }) => element.isConnected && props.description.includes(words),
  );
  if (!found) {
    const all = drawn.filter(({ element }) => element.isConnected).map(({ props }) => props.description);
    throw new Error(`No chart of “${words}”, only of ${JSON.stringify(all)}`);
  }
  const { data, layout = {}, ...rest } = found.props;
  return {
    ...rest,
    data: (typeof data === 'function' ? data(COLORS) : data) as Seen['data'],
    layout: typeof layout === 'function' ? layout(COLORS) : layout,
  };
}

/** What a reader does with a chart (`onClick`, `onSelected`, ...), as the chart tells of it. */
export const doIn = (action: () => void) => act(async () => action());
