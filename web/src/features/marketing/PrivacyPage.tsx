import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { config } from '../../lib/config.ts';
import { LegalPage, type LegalSection } from './LegalPage.tsx';

const SECTIONS: readonly LegalSection[] = [
  {
    title: 'Introduction',
    body: (
      <p>
        This policy says what {PRODUCT_NAME} (“we”) learns about you when you use the site and the API, what
        we do with it, and what you can do about it. It does not cover sites of others that we link to.
      </p>
    ),
  },
  {
    title: 'Information we collect',
    body: (
      <>
        <h3>Personal information</h3>
        <p>
          Your e-mail address and the identifier of your sign-in. On a paid plan, our payment provider
          collects your name, billing address and payment details; we receive only what we need to show your
          plan and invoices, never full card numbers. If you join the waitlist or write to us, we keep your
          address and message.
        </p>
        <h3>Backtesting data</h3>
        <p>
          The strategies, templates, variable lists and batch backtests that you create, their settings and
          results, and the history of their changes.
        </p>
        <h3>Collected automatically</h3>
        <p>
          The address of your connection, browser type, pages and calls with their times, and errors. We use
          them to run and protect the service. We use no advertising trackers and load nothing from third
          parties in the pages of the product.
        </p>
        <h3>API usage</h3>
        <p>For each API client: the calls made, their number and time, and whether they were refused.</p>
      </>
    ),
  },
  {
    title: 'How we use it',
    body: (
      <ul>
        <li>to provide the service: sign you in, store and run your strategies, count quotas;</li>
        <li>to bill paid plans;</li>
        <li>
          to find and repair faults, among them records of backtests that failed, which administrators can
          read;
        </li>
        <li>to protect the service and its users against misuse;</li>
        <li>to answer you, and to send notices about the service or the waitlist that you joined;</li>
        <li>to meet legal duties.</li>
      </ul>
    ),
  },
  {
    title: 'When we disclose it',
    body: (
      <>
        <p>We do not sell personal information. We disclose it only:</p>
        <ul>
          <li>to providers who work for us under contract: hosting, identity, payment and e-mail;</li>
          <li>to other users, as far as you mark a strategy, list or batch as public;</li>
          <li>to authorities, where the law obliges us, or to defend rights and safety;</li>
          <li>to a successor, if the business is merged or sold, under this policy.</li>
        </ul>
      </>
    ),
  },
  {
    title: 'Security',
    body: (
      <p>
        Connections are encrypted. Passwords are stored only as salted hashes of a memory-hard function, API
        secrets encrypted. Access by staff is limited and recorded. No system is perfectly secure; if a breach
        concerns your data, we will tell you as the law requires.
      </p>
    ),
  },
  {
    title: 'Your choices',
    body: (
      <ul>
        <li>See and change your e-mail address in your account.</li>
        <li>Download any strategy as JSON and any result as CSV.</li>
        <li>Make public items private again, or delete them.</li>
        <li>Delete your API client; its tokens stop working at once.</li>
        <li>Download everything in your account as one file, or delete your account, on its page.</li>
        <li>Ask us to correct your data, or for what the file does not hold.</li>
      </ul>
    ),
  },
  {
    title: 'How long we keep it',
    body: (
      <p>
        Account and backtesting data: as long as the account exists. After you delete an account, we erase or
        anonymize them within 90 days, except what the law requires us to keep, such as invoices. Server logs:
        up to 12 months. Waitlist addresses: until we have written to you, or you ask us to remove them.
      </p>
    ),
  },
  {
    title: 'Children under 13',
    body: (
      <p>
        The service is not for children under 13, and we do not knowingly collect their information. If you
        believe that a child has given us some, write to us and we will delete it.
      </p>
    ),
  },
  {
    title: 'California rights',
    body: (
      <p>
        If you live in California, you may ask what personal information we hold and where it came from, have
        it corrected or deleted, and receive a copy. We neither sell it nor share it for cross-context
        advertising. You may send an agent. We treat nobody worse for using these rights, and answer within 45
        days.
      </p>
    ),
  },
  {
    title: 'International users',
    body: (
      <p>
        The service is hosted in the United States. If you use it from elsewhere, your information is
        processed there, where the law may protect it less than at home. Where required, we rely on standard
        contractual clauses; you may also have the right to object, to restrict processing, and to complain to
        your supervisory authority.
      </p>
    ),
  },
  {
    title: 'Changes to this policy',
    body: (
      <p>
        We may change this policy and will change the date at the top when we do. For changes that matter, we
        give notice by e-mail or in the product before they take effect.
      </p>
    ),
  },
  {
    title: 'Cookie policy',
    body: (
      <>
        <p>We use only what the service needs to work:</p>
        <ul>
          <li>a cookie of the sign-in service that keeps your session;</li>
          <li>
            a cookie that remembers for a day that you were signed in, so that the next visit signs you in
            silently;
          </li>
          <li>a cookie that protects a sign-in under way, kept for at most a day;</li>
          <li>
            local storage in your browser for a copied block, your theme and which tours you have seen. It
            never leaves your browser.
          </li>
        </ul>
        <p>
          There are no advertising or analytics cookies. You can delete all of these in your browser; you will
          then have to sign in again.
        </p>
      </>
    ),
  },
  { title: 'Contact', body: <ContactLine /> },
];

function ContactLine() {
  const { supportEmail } = config();
  return (
    <p>
      Questions about this policy, and requests about your data:{' '}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
    </p>
  );
}

/** Privacy Policy. */
export default function PrivacyPage() {
  return (
    <LegalPage
      title="Privacy Policy"
      updated="March 17, 2025"
      intro={
        <p>
          In short: we keep what the product needs to work for you, sell nothing, and let you take your work
          with you.
        </p>
      }
      sections={SECTIONS}
    />
  );
}
