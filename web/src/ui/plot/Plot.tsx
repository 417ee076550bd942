import type { Config, Data, Layout } from 'plotly.js';
import { useEffect, useRef, useState } from 'react';
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

type PlotElement = HTMLDivElement & {
  on?: (name: string, handler: (event: never) => void) => void;
  removeAllListeners?: (name: string) => void;
};

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

/** The theme for axes beside the first two, which Plotly would draw in colours of its own: a white grid on a dark page. */
function furtherAxes(base: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(own).filter((name) => /^[xy]axis\d+$/.test(name));
  return Object.fromEntries(names.map((name) => [name, { ...(base[name.slice(0, 5)] as object) }]));
}

/** Mounts Plotly, keeps it in step with props, size and theme. Loaded by `Chart`. */
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
  const element = useRef<PlotElement>(null);
  const [theme, setTheme] = useState(0);
  const handlers = useRef({ onHover, onUnhover, onClick, onRelayout, onRestyle, onSelected });
  handlers.current = { onHover, onUnhover, onClick, onRelayout, onRestyle, onSelected };

  useEffect(() => {
    const observer = new MutationObserver(() => setTheme((n) => n + 1));
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` stands for the tokens that chartColors() reads
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const colors = chartColors();
    const own = typeof layout === 'function' ? layout(colors) : (layout ?? {});
    const base = baseLayout(colors) as Record<string, unknown>;
    const merged = merge(
      { ...base, ...furtherAxes(base, own as Record<string, unknown>) },
      { uirevision: revision, ...(own as Record<string, unknown>), height },
    );
    const traces = typeof data === 'function' ? data(colors) : data;
    void Plotly.react(target, [...traces], merged as Partial<Layout>, {
      displayModeBar: false,
      responsive: false,
      ...config,
    }).then(() => {
      for (const name of ['hover', 'unhover', 'click', 'relayout', 'restyle', 'selected', 'deselect'])
        target.removeAllListeners?.(`plotly_${name}`);
      target.on?.('plotly_hover', (event) => handlers.current.onHover?.(event));
      target.on?.('plotly_unhover', () => handlers.current.onUnhover?.());
      target.on?.('plotly_click', (event) => handlers.current.onClick?.(event));
      target.on?.('plotly_relayout', (event) => handlers.current.onRelayout?.(event));
      target.on?.('plotly_restyle', ([change]: [Readonly<Record<string, unknown>>]) =>
        handlers.current.onRestyle?.(change),
      );
      target.on?.('plotly_selected', (event?: { range?: { x: [number, number]; y: [number, number] } }) => {
        // Drawing again tells of a selection without a box; only the reader's are passed on.
        if (event?.range) handlers.current.onSelected?.(event.range);
      });
      target.on?.('plotly_deselect', () => handlers.current.onSelected?.(null));
    });
  }, [data, layout, config, height, revision, theme]);

  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => {
      if (target.offsetParent !== null && target.classList.contains('js-plotly-plot'))
        void Plotly.Plots.resize(target);
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      Plotly.purge(target);
    };
  }, []);

  return <div ref={element} role="img" aria-label={description} className="w-full" style={{ height }} />;
}
