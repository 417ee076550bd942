import type { Layout } from 'plotly.js';

/** One colour per series. */
type Eight = readonly [string, string, string, string, string, string, string, string];

/** Colours of the current theme as plain `rgb()` values, which is what canvas and Plotly understand. */
export interface ChartColors {
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly raised: string;
  readonly gain: string;
  readonly loss: string;
  /** Strategy first, benchmark second. */
  readonly series: Eight;
}

function resolver(): (token: string) => string {
  const probe = document.createElement('span');
  probe.hidden = true;
  document.body.append(probe);
  const read = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  queueMicrotask(() => probe.remove());
  return read;
}

/** Reads the tokens of `styles.css` for the theme that is on now. */
export function chartColors(): ChartColors {
  const read = resolver();
  return {
    ink: read('--ink'),
    muted: read('--muted'),
    line: read('--line'),
    surface: read('--surface'),
    raised: read('--raised'),
    gain: read('--gain'),
    loss: read('--loss'),
    series: [
      read('--series-1'),
      read('--series-2'),
      read('--series-3'),
      read('--series-4'),
      read('--series-5'),
      read('--series-6'),
      read('--series-7'),
      read('--series-8'),
    ],
  };
}

/** Layout that every chart starts from. */
export function baseLayout(colors: ChartColors): Partial<Layout> {
  // Made anew for each: Plotly writes into an axis what it finds out about it, a date axis for example.
  const axis = () => ({
    gridcolor: colors.line,
    linecolor: colors.line,
    // Stands out from the grid: it parts gain from loss.
    zerolinecolor: colors.muted,
    tickfont: { color: colors.muted, size: 12 },
    automargin: true,
  });
  return {
    autosize: true,
    paper_bgcolor: 'rgba(0,0,0,0)',
    plot_bgcolor: 'rgba(0,0,0,0)',
    font: { family: 'Inter Variable, system-ui, sans-serif', size: 12, color: colors.ink },
    colorway: [...colors.series],
    margin: { l: 8, r: 8, t: 8, b: 8 },
    showlegend: false,
    hoverlabel: { bgcolor: colors.raised, bordercolor: colors.line, font: { color: colors.ink, size: 12 } },
    xaxis: axis(),
    yaxis: axis(),
  } as Partial<Layout>;
}
