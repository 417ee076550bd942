import { config } from '../../lib/config.ts';
import { isOwnIssuer } from '../../lib/own-issuer.ts';
import { Panel } from '../../ui/Page.tsx';

const LINK = 'mt-3 inline-block text-accent underline';

/** The way to the pages of whoever signs people in: this product, or an external issuer. */
export function SecurityPanel() {
  const { accountUrl } = config();
  return (
    <Panel title="Password and security">
      {isOwnIssuer() ? (
        <>
          <p className="text-muted">
            Change your password, add passkeys or an authenticator app, and see where you are signed in.
          </p>
          <a className={LINK} href="/u/account">
            Password and security
          </a>
        </>
      ) : (
        <>
          <p className="text-muted">
            Your password, second factors and sessions are kept by the provider that you sign in with.
          </p>
          {accountUrl && (
            <a className={LINK} href={accountUrl} rel="noreferrer">
              Your account there
            </a>
          )}
        </>
      )}
    </Panel>
  );
}
