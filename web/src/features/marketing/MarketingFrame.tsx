import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../lib/auth/session.ts';
import { signInSentence } from '../../lib/auth/sign-in-errors.ts';
import { config } from '../../lib/config.ts';
import { ButtonLink, buttonClass } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { Notice } from '../../ui/feedback.tsx';
import { Logo } from '../../ui/Logo.tsx';

const LINK = 'rounded px-2 py-1 text-muted hover:text-ink';

/** Header and footer of every public page. */
export function MarketingFrame({ children }: { children: ReactNode }) {
  const { status, error } = useSession();
  return (
    <div className="flex flex-1 flex-col text-lg">
      <header className="sticky top-0 z-20 border-b border-line bg-canvas">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-4 text-base sm:gap-2 sm:px-6">
          <Link to="/" aria-label={`${PRODUCT_NAME} home`} className="mr-auto rounded">
            <span className="hidden sm:flex">
              <Logo />
            </span>
            <span className="flex sm:hidden">
              <Logo isMarkOnly />
            </span>
          </Link>
          <nav aria-label="Main" className="flex items-center gap-1 sm:gap-2">
            <a href="/docs" className={cx(LINK, 'hidden sm:inline')}>
              Guide
            </a>
            <Link to="/pricing" className={LINK}>
              Pricing
            </Link>
            {status === 'authenticated' ? (
              <ButtonLink to="/drafts" variant="primary">
                Open drafts
              </ButtonLink>
            ) : (
              <>
                <Link to="/register" className={LINK}>
                  Register
                </Link>
                <Link to="/login" className={buttonClass('secondary')}>
                  Login
                </Link>
              </>
            )}
          </nav>
        </div>
      </header>
      {status === 'anonymous' && error && (
        <div className="mx-auto w-full max-w-6xl px-4 pt-4 text-base sm:px-6">
          <Notice kind="danger" action={<Link to="/login">Sign in</Link>}>
            {signInSentence(error)}
          </Notice>
        </div>
      )}
      <main className="flex flex-1 flex-col">{children}</main>
      <Footer />
    </div>
  );
}

function Footer() {
  const { supportEmail } = config();
  const { status } = useSession();
  const link = 'text-muted hover:text-ink hover:underline';
  return (
    <footer className="border-t border-line bg-surface text-base">
      <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6">
        <div className="grid gap-8 sm:grid-cols-[2fr_1fr_1fr_1fr]">
          <div>
            <Logo />
            <p className="mb-4 mt-3 max-w-xs text-muted">
              Build, test and doubt trading strategies before they cost money.
            </p>
            <ButtonLink to={status === 'authenticated' ? '/drafts' : '/register'} variant="primary">
              Get started free
            </ButtonLink>
          </div>
          <FooterColumn title="Product">
            <Link to="/pricing" className={link}>
              Pricing
            </Link>
            <a href="/docs" className={link}>
              Guide
            </a>
            <a href="/developers" className={link}>
              Developers
            </a>
          </FooterColumn>
          <FooterColumn title="Support">
            <a href={`mailto:${supportEmail}`} className={link}>
              {supportEmail}
            </a>
          </FooterColumn>
          <FooterColumn title="Legal">
            <Link to="/terms-of-service" className={link}>
              Terms of service
            </Link>
            <Link to="/privacy-policy" className={link}>
              Privacy policy
            </Link>
          </FooterColumn>
        </div>
        <div className="mt-10 flex flex-col gap-2 border-t border-line pt-6 text-sm text-muted">
          <p>
            {PRODUCT_NAME} is not a broker, an investment advisor or a trading platform. Data, analyses and
            backtests are provided as-is, with no guarantees of any kind. Nothing here is tax advice.
          </p>
          <p>
            Past backtest performance does not guarantee future results. All trademarks belong to their
            owners.
          </p>
          <p>© 2025 {PRODUCT_NAME}</p>
        </div>
      </div>
    </footer>
  );
}

function FooterColumn({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="mb-2 font-semibold">{title}</h2>
      <div className="flex flex-col items-start gap-1.5 break-all">{children}</div>
    </div>
  );
}
