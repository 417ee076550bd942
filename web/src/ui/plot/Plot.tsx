import type { Config, Data, Layout } from 'plotly.js';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import createPlotlyComponent from 'react-plotly.js/factory';
import Plotly from './plotly.ts';
import { baseLayout, type ChartColors, chartColors } from './theme.ts';

export interface PlotProps {
  /** Traces, or a function of the theme's colours. */
  readonly data: readonly Data[] | ((colors: ChartColors) => readonly Data[]);
  readonly layout?: Partial<Layout> | ((colors: ChartColors) => Partial<Layout>);
  readonly config?: Partial<Config>;
  /** Pixels. */
  readonly height: number;
  /** What the chart shows, in a sentence. */
  readonly description: string;
  readonly onHover?: (event: {
    readonly points: readonly { readonly x: unknown; readonly y: unknown; readonly pointIndex: number }[];
  }) => void;
  readonly onUnhover?: () => void;
  readonly onClick?: (event: {
    readonly points: readonly {
      readonly x: unknown;
      readonly y: unknown;
      readonly pointIndex: number;
      readonly curveNumber: number;
    }[];
  }) => void;
  readonly onRelayout?: (change: Readonly<Record<string, unknown>>) => void;
  /** An axis of parallel coordinates was narrowed (`dimensions[i].constraintrange`) or moved (`dimensions`). */
  readonly onRestyle?: (change: Readonly<Record<string, unknown>>) => void;
  /** A box was drawn (layout.dragmode `select`), in the units of the axes; null when it was taken away. */
  readonly onSelected?: (
    box: { readonly x: readonly [number, number]; readonly y: readonly [number, number] } | null,
  ) => void;
  /** Keep the reader's zoom while this stays the same. */
  readonly revision?: string | number;
}

const Figure = createPlotlyComponent(Plotly);
/** Pixels that a panel has on a portrait page of A4 or letter, within the margins of a report. */
const PAGE_WIDTH = 640;

const merge = (base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> => {
  const out = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const old = out[key];
    const areObjects = [old, value].every(
      (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
    );
    out[key] = areObjects ? merge(old as Record<string, unknown>, value as Record<string, unknown>) : value;
  }
  return out;
};

/**
 * The theme for axes beside the first two, which Plotly would draw in colours of its own: a white grid on a
 * dark page.
 */
function furtherAxes(base: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(own).filter((name) => /^[xy]axis\d+$/.test(name));
  return Object.fromEntries(names.map((name) => [name, { ...(base[name.slice(0, 5)] as object) }]));
}

/** A box that was drawn, in the units of the axes. Drawing again tells of a selection without one. */
interface Selection {
  readonly range?: { readonly x: readonly [number, number]; readonly y: readonly [number, number] };
}

/** Plotly's React component in the product's theme, kept in step with the size of its place. Loaded by `Chart`. */
export default function Plot({
  data,
  layout,
  config,
  height,
  description,
  onHover,
  onUnhover,
  onClick,
  onRelayout,
  onRestyle,
  onSelected,
  revision = 0,
}: PlotProps) {
  const graph = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(0);
  const [isPrinted, setPrinted] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  // Drawing again for another handler alone would close what the reader hovers over.
  const handlers = useRef({ onHover, onUnhover, onClick, onRelayout, onRestyle, onSelected });
  handlers.current = { onHover, onUnhover, onClick, onRelayout, onRestyle, onSelected };

  useEffect(() => {
    const observer = new MutationObserver(() => setTheme((n) => n + 1));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` stands for the tokens that chartColors() reads
  const figure = useMemo(() => {
    const colors = chartColors();
    const own = (typeof layout === 'function' ? layout(colors) : (layout ?? {})) as Record<string, unknown>;
    const base = baseLayout(colors) as Record<string, unknown>;
    const themed = { ...base, ...furtherAxes(base, own) };
    return {
      data: [...(typeof data === 'function' ? data(colors) : data)],
      layout: merge(themed, {
        uirevision: revision,
        ...own,
        height,
        ...(isPrinted && { width: PAGE_WIDTH, autosize: false }),
      }),
      config: { displayModeBar: false, responsive: false, ...config },
    };
  }, [data, layout, config, height, revision, theme, isPrinted]);

  // Print waits for nobody: what is printed is drawn before the handler is left, in the theme of paper, and
  // as wide as a page where a report is printed.
  const latest = useRef(figure);
  latest.current = figure;
  useEffect(() => {
    const draw = (isPage: boolean) => {
      flushSync(() => {
        setPrinted(isPage);
        setTheme((n) => n + 1);
      });
      const { data: traces, layout: drawn, config: options } = latest.current;
      if (graph.current?.classList.contains('js-plotly-plot'))
        void Plotly.react(graph.current, traces, drawn as Partial<Layout>, options);
    };
    const begin = () => draw(graph.current?.closest('[data-report]') != null);
    const end = () => draw(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);

  const [listeners] = useState(() => ({
    onHover: (event: Parameters<NonNullable<PlotProps['onHover']>>[0]) => handlers.current.onHover?.(event),
    onUnhover: () => handlers.current.onUnhover?.(),
    onClick: (event: Parameters<NonNullable<PlotProps['onClick']>>[0]) => handlers.current.onClick?.(event),
    onRelayout: (change: Readonly<Record<string, unknown>>) => handlers.current.onRelayout?.(change),
    onRestyle: ([change]: [Readonly<Record<string, unknown>>]) => handlers.current.onRestyle?.(change),
    onSelected: (event?: Selection) => {
      if (event?.range) handlers.current.onSelected?.(event.range);
    },
    onDeselect: () => handlers.current.onSelected?.(null),
  }));

  // The size follows the chart's place: a window's size says nothing of a panel that opens beside it.
  useEffect(() => {
    const target = graph.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => {
      if (target.offsetParent !== null && target.classList.contains('js-plotly-plot'))
        void Plotly.Plots.resize(target);
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, []);

  if (failure) throw failure;
  return (
    <div role="img" aria-label={description} className="w-full" style={{ height }}>
      <Figure
        ref={graph}
        {...figure}
        {...listeners}
        onError={setFailure}
        className="w-full"
        style={{ height }}
      />
    </div>
  );
}
