import { PLANS, type Plan } from '@quantloom/domain/identity/plans';
import { Check, Minus } from 'lucide-react';
import { useSession } from '../../lib/auth/session.ts';
import { config } from '../../lib/config.ts';
import { formatCount } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { MarketingFrame } from './MarketingFrame.tsx';
import { WaitlistForm } from './WaitlistForm.tsx';

const ROWS: readonly { label: string; value: (plan: Plan) => string | boolean }[] = [
  { label: 'Trading bots', value: () => 'Unlimited' },
  { label: 'Stocks and ETFs', value: () => '10,000+' },
  {
    label: 'Batch backtests a month',
    value: (plan) => plan.monthlyBacktests > 0 && formatCount(plan.monthlyBacktests),
  },
  { label: 'Followed strategies', value: (plan) => formatCount(plan.followedStrategies) },
  { label: 'Template builder', value: (plan) => plan.features.includes('web.batch-backtests.create') },
  { label: 'Variable lists', value: (plan) => plan.features.includes('web.batch-backtests.create') },
  {
    label: 'API requests a minute',
    value: (plan) => plan.requestsPerMinute > 0 && formatCount(plan.requestsPerMinute),
  },
  { label: 'Slippage settings', value: (plan) => plan.features.includes('web.slippage.view') },
  { label: 'Z-Score function', value: (plan) => plan.features.includes('web.z-score.view') },
  { label: 'Simulated tickers', value: (plan) => plan.features.includes('web.simulated-tickers.view') },
  { label: 'Copy trader', value: (plan) => plan.id === 'copy-trader' },
];
const ALL = Object.values(PLANS);

/** What a plan's button says and where it leads: those who are signed in have an account already. */
function offer(plan: Plan, isSignedIn: boolean): { readonly to: string; readonly label: string } {
  if (plan.priceCents === 0)
    return isSignedIn
      ? { to: '/drafts', label: 'Open drafts' }
      : { to: '/register', label: 'Get started free' };
  return { to: isSignedIn ? '/account/billing' : '/register', label: `Get ${plan.name}` };
}

/** All plans in one look. */
export default function PricingPage() {
  const { status } = useSession();
  return (
    <MarketingFrame>
      <div className="mx-auto w-full max-w-6xl px-4 py-12 sm:px-6 sm:py-16">
        <h1 className="text-3xl font-semibold tracking-tight">Pricing</h1>
        <p className="mt-2 max-w-[60ch] text-balance text-muted">
          Strategies and single backtests cost nothing. You pay for running very many of them.
        </p>
        <div className="mt-10 grid gap-4 md:grid-cols-3">
          {ALL.map((plan) => (
            <section
              key={plan.id}
              aria-labelledby={`plan-${plan.id}`}
              className={cx(
                'flex flex-col rounded border p-5',
                plan.id === 'api' ? 'border-brand' : 'border-line',
              )}
            >
              <h2 id={`plan-${plan.id}`} className="flex min-h-7 flex-wrap items-center gap-2 font-semibold">
                {plan.name}
              </h2>
              <p className="mt-2">
                <span className="num text-3xl font-semibold tracking-tight">${plan.priceCents / 100}</span>
                <span className="text-muted">/month</span>
                {!plan.isAvailable && (
                  <Badge color="yellow" className="ml-3 align-super">
                    Coming Soon
                  </Badge>
                )}
              </p>
              <ul className="mb-6 mt-4 flex flex-col gap-1 text-base">
                {ROWS.map((row) => {
                  const value = row.value(plan);
                  return (
                    <li
                      key={row.label}
                      className={cx('flex items-start gap-2 py-0.5', value === false && 'text-faint')}
                    >
                      {value === false ? (
                        <Minus size={16} aria-hidden className="mt-0.5 shrink-0" />
                      ) : (
                        <Check size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
                      )}
                      <span>
                        {row.label}
                        {value === false && <span className="sr-only"> not included</span>}
                      </span>
                      {typeof value === 'string' && <span className="num ml-auto font-medium">{value}</span>}
                    </li>
                  );
                })}
              </ul>
              <div className="mt-auto">
                {plan.isAvailable ? (
                  <ButtonLink
                    to={offer(plan, status === 'authenticated').to}
                    variant={plan.id === 'api' ? 'primary' : 'secondary'}
                    className="w-full"
                  >
                    {offer(plan, status === 'authenticated').label}
                  </ButtonLink>
                ) : (
                  <WaitlistForm what="Copy Trader" />
                )}
              </div>
            </section>
          ))}
        </div>
        <section className="mt-14 grid gap-x-10 gap-y-6 text-base sm:grid-cols-2">
          {[
            [
              'What counts as a batch backtest?',
              'One combination of variable values. A template with 12 tickers, 8 windows and 5 ' +
                'thresholds makes 480. Combinations that an earlier batch of yours has computed are ' +
                'not counted again. Limits start anew on the first of each month (New York time).',
            ],
            [
              'Which data is it?',
              'Daily closes, adjusted for splits and dividends, compared with SPY. At most one ' +
                'trade a day. No crypto, options or ' +
                `futures.${config().isDataSimulated ? ' This installation holds simulated prices until real ones are loaded.' : ''}`,
            ],
            [
              'Can it trade for me?',
              'No. It designs and tests strategies. It is not a broker and places no orders.',
            ],
            [
              'Can I leave?',
              'Any time. Every strategy downloads as JSON, every result as CSV, on every plan.',
            ],
            [
              'What becomes of followed strategies on a smaller plan?',
              'They stay, with their records and alerts, so that no record has a gap. You can ' +
                'follow another one as soon as there are fewer than the plan has.',
            ],
          ].map(([question, answer]) => (
            <div key={question}>
              <h2 className="font-semibold">{question}</h2>
              <p className="mt-1 text-muted">{answer}</p>
            </div>
          ))}
        </section>
      </div>
    </MarketingFrame>
  );
}
