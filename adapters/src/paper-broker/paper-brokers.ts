import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import { createSecretBox } from '../identity/secret-box.ts';
import { type AlpacaKey, openAlpacaPaperBroker } from './alpaca/alpaca-paper-broker.ts';
import { type OwnBrokerDeps, openOwnPaperBroker } from './own/own-paper-broker.ts';

export interface PaperBrokersOptions extends OwnBrokerDeps {
  /** The installation's, 64 hexadecimal digits. */
  readonly secretKey: string;
  /** Null: accounts at Alpaca are off. */
  readonly alpacaUrl: string | null;
}

const AWAY = { kind: 'failed', retryAfterMs: 60 * 60_000 } as const;

/** Our own broker, and Alpaca where the operator has turned it on. */
export function createPaperBrokers({ secretKey, alpacaUrl, ...deps }: PaperBrokersOptions): PaperBrokers {
  const box = createSecretBox(secretKey, 'paper broker keys');
  return {
    hasAlpaca: alpacaUrl !== null,
    seal: (userId, { id, secret }) => box.seal(JSON.stringify([id, secret]), userId),
    open({ userId, broker, sealedKey }) {
      if (broker === 'own') return openOwnPaperBroker(deps, userId);
      const key = alpacaUrl === null || sealedKey === null ? null : keyOf(() => box.open(sealedKey, userId));
      if (key && alpacaUrl !== null)
        return openAlpacaPaperBroker({ baseUrl: alpacaUrl, key, clock: deps.clock });
      const reason =
        alpacaUrl === null
          ? 'Accounts at Alpaca are turned off here'
          : 'The key of this account cannot be read any more: open the account again';
      const answer = async () => ({ ...AWAY, reason });
      return { account: answer, place: answer, find: answer };
    },
  };
}

/** Null where it was sealed with another key of the installation, or erased. */
function keyOf(read: () => string): AlpacaKey | null {
  try {
    const [id, secret] = JSON.parse(read()) as [string, string];
    return { id, secret };
  } catch {
    return null;
  }
}
