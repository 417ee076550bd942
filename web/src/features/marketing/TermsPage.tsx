import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { Link } from 'react-router';
import { config } from '../../lib/config.ts';
import { LegalPage, type LegalSection } from './LegalPage.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    title: 'The agreement',
    body: (
      <p>
        These terms are a contract between you and {PRODUCT_NAME} (“we”). By creating an account, or by using
        the site or the API, you accept them. If you use the service for an organization, you confirm that you
        may accept them on its behalf. If you do not agree, do not use the service.
      </p>
    ),
  },
  {
    title: 'What the service does',
    body: (
      <>
        <p>
          {PRODUCT_NAME} lets you describe trading strategies as trees of blocks, simulate them on historical
          daily closing prices (a backtest), and run many such simulations at once. It covers stocks and
          exchange-traded funds. It does not cover crypto-currencies, options or futures, and simulates at
          most one trade a day.
        </p>
        <p>
          Installations may use a demo data set of simulated prices. Results on such prices are marked, and
          describe no real market.
        </p>
      </>
    ),
  },
  {
    title: 'Not advice, not a broker',
    body: (
      <>
        <p>
          We are not a broker, an investment advisor, a commodity trading advisor or a trading platform. We
          place no orders and hold no money or securities. Nothing in the service is a recommendation to buy,
          sell or hold anything, and nothing is tax, legal or accounting advice.
        </p>
        <p>
          A backtest is a calculation about the past under simplifying assumptions on prices, costs and
          execution. Past backtest performance does not guarantee future results. Strategies that were chosen
          because they did well in a backtest usually do worse afterwards. You alone decide what you do with
          results, and you bear the consequences.
        </p>
      </>
    ),
  },
  {
    title: 'Your account',
    body: (
      <ul>
        <li>You must be at least 18 years old and able to enter into a contract.</li>
        <li>Give an e-mail address that is yours, and keep it current: we send notices there.</li>
        <li>
          Keep your password, and the secrets of your API clients, to yourself. What is done with them counts
          as done by you.
        </li>
        <li>Tell us at once when you think that somebody else has used your account.</li>
      </ul>
    ),
  },
  {
    title: 'Plans, quotas and payment',
    body: (
      <>
        <p>
          Plans, prices and monthly limits are those of the <Link to="/pricing">pricing page</Link>. Paid
          plans are billed in advance for a month at a time and renew until you cancel. You can cancel at any
          time in your account; the plan then stays in force until the end of the paid month. Except where the
          law says otherwise, payments for a month that has begun are not refunded.
        </p>
        <p>
          Limits count per calendar month (New York time) and do not carry over. We may change prices with 30
          days’ notice; the change applies from your next renewal.
        </p>
      </>
    ),
  },
  {
    title: 'Fair use',
    body: (
      <>
        <p>You agree not to:</p>
        <ul>
          <li>go around limits, for example by several accounts for one person;</li>
          <li>resell access, or pass market data on in bulk;</li>
          <li>probe, overload or disturb the service, or reach data of other users;</li>
          <li>use the service to break the law or to manipulate a market.</li>
        </ul>
      </>
    ),
  },
  {
    title: 'The API',
    body: (
      <p>
        API clients may call the service within the rate limit of the plan. Requests over the limit are
        refused. Programs must respect the answers that ask them to wait. We may change the API; changes that
        break programs are announced at least 90 days ahead, unless security requires otherwise.
      </p>
    ),
  },
  {
    title: 'Your strategies',
    body: (
      <p>
        Strategies, templates and lists that you make remain yours. You give us the right to store and process
        them to run the service. What you mark as public can be seen and cloned by every user who has its
        link; a clone belongs to whoever made it, and stays when you make yours private again. You can
        download your work at any time.
      </p>
    ),
  },
  {
    title: 'Our rights',
    body: (
      <p>
        The software, its design and its documentation belong to us or our licensors. Market data belong to
        their providers. All trademarks, fund names and tickers belong to their owners; we name them to
        identify securities and claim no relation with their owners.
      </p>
    ),
  },
  {
    title: 'No warranty',
    body: (
      <p>
        The service, including data, analyses and backtests, is provided as-is and as available, with no
        guarantees of any kind, express or implied, including accuracy, completeness, fitness for a purpose
        and non-infringement. Prices may be wrong, late, missing or adjusted in ways that matter to your
        results.
      </p>
    ),
  },
  {
    title: 'Limits of liability',
    body: (
      <p>
        As far as the law allows, we are not liable for trading losses, lost profits, lost data, or indirect,
        special or consequential damage. Our total liability for all claims about the service is limited to
        what you paid us in the twelve months before the claim arose, or 100 US dollars if that is more.
        Nothing here limits liability that the law does not let us limit.
      </p>
    ),
  },
  {
    title: 'Indemnification',
    body: (
      <p>
        You will defend us, and hold us and our staff harmless, against claims of third parties, and the costs
        that follow from them (including reasonable lawyers’ fees), that arise from your use of the service,
        from your strategies or the content that you publish, or from your breach of these terms or of the
        law. We will tell you of such a claim promptly and let you lead the defense; we may take part at our
        own expense.
      </p>
    ),
  },
  {
    title: 'Arbitration',
    body: (
      <>
        <p>
          Write to us first: most disputes can be settled by a letter. If a dispute is not settled within 60
          days of your letter or ours, it is decided by binding individual arbitration under the consumer
          rules of the American Arbitration Association, by one arbitrator, in writing or by video unless the
          arbitrator finds a hearing in person necessary. The Federal Arbitration Act applies.
        </p>
        <p>
          Either of us may instead bring an individual case in a small-claims court, or ask a court to stop
          the misuse of intellectual property. You may opt out of arbitration by writing to us within 30 days
          of creating your account.
        </p>
      </>
    ),
  },
  {
    title: 'Class-action waiver',
    body: (
      <p>
        You and we bring claims only in our own names, not as plaintiff or member of any class, collective or
        representative proceeding, and the arbitrator may not join the claims of several people. If this
        waiver cannot be enforced for a claim, that claim, and only that one, goes to court.
      </p>
    ),
  },
  {
    title: 'Termination',
    body: (
      <p>
        You can stop using the service, and ask us to delete your account, at any time. We may suspend or end
        an account that breaks these terms, endangers the service or others, or has not been paid for; where
        we can, we give notice and time to download your work. The sections on rights, warranty, liability,
        indemnification, disputes and governing law outlive the end of the agreement.
      </p>
    ),
  },
  {
    title: 'Governing law',
    body: (
      <p>
        The law of the State of Delaware, United States, governs these terms, without its rules on conflicts
        of law. Where court proceedings are allowed, the state and federal courts in Delaware have
        jurisdiction. Mandatory consumer protection of the place where you live remains in force.
      </p>
    ),
  },
  {
    title: 'Changes',
    body: (
      <p>
        We may change these terms. For changes that matter we give at least 30 days’ notice by e-mail or in
        the product. If you go on using the service after that, you accept them; if you do not, cancel before
        they take effect. The date at the top says when they changed last.
      </p>
    ),
  },
  { title: 'Contact', body: <ContactLine /> },
];

function ContactLine() {
  const { supportEmail } = config();
  return (
    <p>
      Questions about these terms: <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
    </p>
  );
}

/** Terms of Service. */
export default function TermsPage() {
  return (
    <LegalPage
      title="Terms of Service"
      updated="March 17, 2025"
      intro={
        <p>
          In short: this is a laboratory for trading ideas. It computes what would have happened, it advises
          nobody, and it promises nothing about the future. The full terms follow.
        </p>
      }
      sections={SECTIONS}
    />
  );
}
