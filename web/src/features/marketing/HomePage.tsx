import type { ReactNode } from 'react';
import { fixed, formatDate } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { LUCK_SAMPLE } from './luck-sample.ts';
import { MarketingFrame } from './MarketingFrame.tsx';
import {
  AnalyzePicture,
  ConfigurePicture,
  EditorPicture,
  LuckPicture,
  StatusPicture,
  TemplatePicture,
  VariablesPicture,
} from './pictures.tsx';
import { SAMPLE_RUN } from './sample-run.ts';
import { WaitlistForm } from './WaitlistForm.tsx';

const FEATURES: readonly { title: string; text: string; picture: ReactNode; isWide?: boolean }[] = [
  {
    title: 'Templates',
    text: 'Leave any ticker, window or threshold open as a variable, and one strategy becomes a thousand questions.',
    picture: <TemplatePicture />,
  },
  {
    title: 'Variables',
    text: 'Keep lists of tickers, paste or upload them, share them by link, and use them in any template.',
    picture: <VariablesPicture />,
  },
  {
    title: 'Configure Batch Tests',
    text:
      'Choose the values and see at once how many combinations that makes, how long they take and ' +
      'what is left this month.',
    picture: <ConfigurePicture />,
  },
  {
    title: 'Status Updates',
    text:
      'Watch progress, rate and remaining time. Go elsewhere; the work goes on, and whatever page ' +
      'you are on tells you when it is done.',
    picture: <StatusPicture />,
  },
  {
    title: 'Analyze Results',
    text:
      'Sort every row, read the heat map, and learn whether the best one is skill or luck: the ' +
      'chance of seeing it by accident stands above the ranking.',
    picture: <AnalyzePicture />,
    isWide: true,
  },
];

const WAYS: readonly { title: string; text: string; href: string; link: string }[] = [
  {
    title: 'Read the guide',
    text: 'From a first backtest to the verdict: every block, every indicator and every metric, with its formula.',
    href: '/docs',
    link: 'Open the guide',
  },
  {
    title: 'Use it from a program',
    text: 'Whatever the pages do, the API does too: OpenAPI, CSV, machine clients, quick starts that our tests run.',
    href: '/developers',
    link: 'Developer docs',
  },
  {
    title: 'Run it yourself',
    text: 'One command on one machine, your own prices, nothing leaves it. The same code grows into a cluster.',
    href: '/docs/api',
    link: 'From the command line',
  },
];

/** The question that the product is about, before anything else. */
function LuckPanel() {
  return (
    <aside aria-label="Is it luck?" className="rounded border border-line bg-canvas p-5 text-base">
      <p className="text-muted">
        The best of {LUCK_SAMPLE.strategies} strategies <strong className="text-ink">without any edge</strong>
        , over {LUCK_SAMPLE.years} years:
      </p>
      <p className="num mt-1 text-2xl font-semibold">Sharpe ratio {fixed(LUCK_SAMPLE.best, 2)}</p>
      <div className="mt-3">
        <LuckPicture />
      </div>
      <p className="mt-2 text-muted">
        Whoever tests many ideas finds one like it. Every ranking here says first how much of its winner is
        luck.{' '}
        <a href="/docs/verdict" className="text-accent underline">
          Draw 500 others
        </a>
      </p>
    </aside>
  );
}

/** What the product is, in one breath and then in pictures of itself. */
export default function HomePage() {
  return (
    <MarketingFrame>
      <section className="mx-auto w-full max-w-6xl px-4 pt-12 sm:px-6 sm:pt-20">
        <div className="grid items-end gap-10 lg:grid-cols-[7fr_5fr]">
          <div>
            <h1 className="max-w-3xl text-balance text-3xl font-semibold tracking-tight sm:text-[3.25rem] sm:leading-[3.75rem]">
              Hedge Fund Power, Retail Simplicity.
            </h1>
            <p className="mt-4 max-w-[56ch] text-muted">
              Build strategies as trees of blocks, without code. Backtest them on daily closes against SPY.
              Run millions of variations, and find out which results mean something.
            </p>
            <div className="mt-7 flex flex-wrap gap-3">
              <ButtonLink to="/register" variant="primary" size="lg">
                Get started
              </ButtonLink>
              <ButtonLink to="/pricing" size="lg">
                See pricing
              </ButtonLink>
            </div>
          </div>
          <LuckPanel />
        </div>
        <div className="mt-12">
          <EditorPicture />
          <p className="mt-2 text-sm text-muted">
            The starter strategy “Trend filter” on the demo data set of simulated prices,{' '}
            {formatDate(SAMPLE_RUN.firstDay)} to {formatDate(SAMPLE_RUN.lastDay)}, 10 bps slippage. Not a
            result of any real market.
          </p>
        </div>
      </section>

      <section aria-label="Features" className="mx-auto w-full max-w-6xl px-4 py-16 sm:px-6 sm:py-24">
        <div className="grid gap-x-8 gap-y-12 md:grid-cols-2">
          {FEATURES.map((feature) => (
            <article
              key={feature.title}
              className={cx('flex min-w-0 flex-col', feature.isWide && 'md:col-span-2')}
            >
              <h2 className="text-xl font-semibold tracking-tight">{feature.title}</h2>
              <p className="mb-4 mt-1 max-w-[58ch] text-muted">{feature.text}</p>
              <div className="grid flex-1">{feature.picture}</div>
            </article>
          ))}
        </div>
      </section>

      <section aria-label="How to use it" className="border-t border-line">
        <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-14 sm:px-6 md:grid-cols-3">
          {WAYS.map(({ title, text, href, link }) => (
            <div key={title}>
              <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
              <p className="mb-2 mt-1 max-w-[44ch] text-muted">{text}</p>
              <a href={href} className="text-accent underline">
                {link}
              </a>
            </div>
          ))}
        </div>
      </section>

      <section className="border-t border-line bg-surface">
        <div className="mx-auto grid w-full max-w-6xl gap-8 px-4 py-14 sm:px-6 md:grid-cols-2">
          <div>
            <h2 className="text-xl font-semibold tracking-tight">What it is, exactly</h2>
            <ul className="mt-3 flex flex-col gap-1.5 text-muted">
              <li>10,000+ stocks and ETFs, daily closes only, at most one trade a day.</li>
              <li>No crypto, options or futures.</li>
              <li>Every result names its data, its fills and its costs, and can be computed again.</li>
            </ul>
          </div>
          <div>
            <h2 className="text-xl font-semibold tracking-tight">Waiting for Copy Trader?</h2>
            <p className="mb-4 mt-3 max-w-[52ch] text-muted">
              It is planned, not built: following a strategy with your own broker. Leave your address and hear
              once, when it is ready.
            </p>
            <WaitlistForm what="Copy Trader" />
          </div>
        </div>
      </section>
    </MarketingFrame>
  );
}
