import { Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { setTheme, type ThemeChoice, useTheme } from '../../lib/theme.ts';
import { BADGE_COLORS, Badge, StatusBadge, TickerChip, VisibilityBadge } from '../../ui/Badge.tsx';
import { Fetched, fetchedPart, type Part } from '../../ui/fetched.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { SegmentedControl } from '../../ui/toolbar-inputs.tsx';
import { Actions } from './Actions.tsx';
import { Row, Specimen } from './Specimen.tsx';
import { States } from './States.tsx';

const forms = fetchedPart(async () => (await import('./Forms.tsx')).Forms);
const data = fetchedPart(async () => (await import('./Data.tsx')).Data);

const SIZES = [
  ['text-xs', '12'],
  ['text-sm', '13'],
  ['text-base', '14, body of the application'],
  ['text-lg', '16, body of public pages'],
  ['text-xl', '20'],
  ['text-2xl', '28'],
  ['text-3xl', '40'],
] as const;
const SURFACES = [
  'canvas',
  'surface',
  'raised',
  'sunken',
  'hover',
  'selected',
  'brand-soft',
  'danger-soft',
  'warning-soft',
  'info-soft',
];
const INKS = ['ink', 'muted', 'faint', 'accent', 'danger', 'warning', 'info', 'gain', 'loss'];
const SERIES = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `series-${n}`);
const KINDS = ['kind-group', 'kind-weight', 'kind-if', 'kind-filter', 'kind-asset'];

/** Every part of the design system, alive, in the theme that is on. */
export default function DesignSystemPage() {
  const theme = useTheme();
  const [tab, setTab] = useState<ThemeChoice>(theme);
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-10 p-4 sm:p-8">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <Link to="/" aria-label="Quantloom home">
            <Logo />
          </Link>
          <h1 className="mt-4 text-2xl font-semibold tracking-tight">Design system</h1>
          <p className="text-muted">
            A calm, precise instrument. Numbers first; no decoration that is not information.
          </p>
        </div>
        <SegmentedControl<ThemeChoice>
          label="Theme"
          value={tab}
          onChange={(choice) => {
            setTab(choice);
            setTheme(choice);
          }}
          options={[
            { value: 'system', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </header>
      <main className="flex flex-col gap-10">
        <Specimen
          title="Type"
          rule="Inter for everything, JetBrains Mono for tickers in code-like places. Figures in columns are tabular: class num."
        >
          {SIZES.map(([name, size]) => (
            <div key={name} className="flex flex-wrap items-baseline gap-4">
              <span className="w-56 text-sm text-muted">
                {name} · {size}
              </span>
              <span className={name}>RSI(SPY, 10) is 79.31</span>
            </div>
          ))}
          <Row>
            <span className="num">1,234.50</span>
            <span className="num">9,876.01</span>
            <span className="font-mono">BRK.B</span>
          </Row>
        </Specimen>
        <Specimen
          title="Colour"
          rule="Tokens only; each has a light and a dark value. Gain and loss carry a sign as well, and differ for colour-blind eyes. Status colours mean status and nothing else."
        >
          <Swatches names={SURFACES} />
          <div className="flex flex-wrap gap-x-6 gap-y-1">
            {INKS.map((name) => (
              <span key={name} style={{ color: `var(--${name})` }} className="font-medium">
                {name}
              </span>
            ))}
          </div>
          <Swatches names={SERIES} />
          <Swatches names={KINDS} />
        </Specimen>
        <Specimen
          title="Space and shape"
          rule="A 4 px grid, rows of 36 to 40 px, radius 6. Panels have a 1 px border and no shadow; one elevation for what floats."
        >
          <Row>
            <div className="rounded border border-line p-4">Panel</div>
            <div className="rounded border border-line bg-raised p-4 shadow-float">Floating</div>
          </Row>
        </Specimen>
        <Specimen title="Badges" rule="Nine colours. Underscores in text show as spaces.">
          <Row>
            {BADGE_COLORS.map((color) => (
              <Badge key={color} color={color}>
                {color}
              </Badge>
            ))}
            <Badge>underscores_show_as_spaces</Badge>
          </Row>
          <Row>
            {['Queued', 'Running', 'CompilingResults', 'Finished', 'Stopped', 'Error'].map((status) => (
              <StatusBadge key={status} status={status} />
            ))}
            <VisibilityBadge isPublic />
            <VisibilityBadge isPublic={false} />
            <TickerChip ticker="SPY" name="SPDR S&P 500 ETF Trust" />
            <TickerChip ticker="$ASSET" />
          </Row>
        </Specimen>
        <Actions />
        <WhenNear part={forms} />
        <WhenNear part={data} />
        <States />
      </main>
    </div>
  );
}

/** A part of the page with much code of its own, fetched when it is about to be seen. */
function WhenNear({ part }: { part: Part<object> }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const room = <div ref={place} className="min-h-96" />;
  return isNear ? (
    <Suspense fallback={room}>
      <Fetched part={part} props={{}} />
    </Suspense>
  ) : (
    room
  );
}

function Swatches({ names }: { names: readonly string[] }) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-5">
      {names.map((name) => (
        <li key={name} className="text-sm text-muted">
          <span
            className="mb-1 block h-10 rounded border border-line"
            style={{ background: `var(--${name})` }}
          />
          {name}
        </li>
      ))}
    </ul>
  );
}
