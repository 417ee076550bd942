import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';

/** What the server tells the page at `/config.json`, so that one build works in every deployment. */
export interface RuntimeConfig {
  /** Issuer's address; with a scheme where it is not https (local http). */
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  /**
   * Where people change their password, second factor and sessions at an external issuer; null where the
   * operator names no such page.
   */
  readonly accountUrl: string | null;
  readonly productName: string;
  readonly supportEmail: string;
  /** Base of all API calls; empty: this origin. */
  readonly apiBaseUrl: string;
  /** True when the current data set holds simulated prices only. */
  readonly isDataSimulated: boolean;
  /** Label of the current data set, for example `Demo data`. */
  readonly dataLabel: string | null;
  readonly version: string | null;
}

const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

/** Nothing but a page of the web becomes a link. */
const webAddress = (value: unknown): string | null =>
  typeof value === 'string' && /^https?:\/\//.test(value) ? value : null;

/** Fills in what a server leaves out. Throws where sign-in could not work at all. */
export function parseConfig(value: unknown, origin: string): RuntimeConfig {
  const raw = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const dataSet =
    typeof raw.dataSet === 'object' && raw.dataSet !== null ? (raw.dataSet as Record<string, unknown>) : {};
  const clientId = text(raw.clientId, '');
  if (clientId === '') throw new Error('/config.json names no clientId');
  return {
    issuer: text(raw.issuer, origin),
    clientId,
    audience: text(raw.audience, ''),
    accountUrl: webAddress(raw.accountUrl),
    productName: text(raw.productName, PRODUCT_NAME),
    supportEmail: text(raw.supportEmail, 'support@quantloom.example'),
    apiBaseUrl: text(raw.apiBaseUrl, '').replace(/\/+$/, ''),
    isDataSimulated: (raw.isDataSimulated ?? dataSet.isSimulated) === true,
    dataLabel: text(raw.dataLabel ?? dataSet.label, '') || null,
    version: text(raw.version, '') || null,
  };
}

/** Reads `/config.json`. */
export async function loadConfig(): Promise<RuntimeConfig> {
  const response = await fetch('/config.json', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  return parseConfig(await response.json(), window.location.origin);
}

let current: RuntimeConfig | null = null;

/** Set once by the entry, before anything renders. */
export function setConfig(config: RuntimeConfig): void {
  current = config;
}

/** The configuration of this page. */
export function config(): RuntimeConfig {
  if (current === null) throw new Error('config() was read before the entry had loaded /config.json');
  return current;
}
