import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { paperHostFault } from '@quantloom/adapters/paper-broker/alpaca/paper-host';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { envSchema } from 'env-schema';
import { type Static, Type } from 'typebox';

/** A cluster of this name has topics and consumer groups without a prefix. */
export const DEFAULT_CLUSTER_NAME = 'quantloom';

const optionalText = Type.Optional(Type.String({ minLength: 1 }));

/**
 * Every setting of every process, from the environment. A name with `_FILE` behind it reads the value from
 * that file (secrets). What each one means for operators is in `docs/operations.md`.
 */
const ConfigSchema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8080 }),
  /** Loopback by default: an embedded installation is private until its owner says otherwise. */
  HOST: Type.String({ default: '127.0.0.1' }),
  /** Address that people and machines use from outside; default `http://localhost:PORT`. */
  PUBLIC_URL: optionalText,
  /** Origins, with commas between, whose pages may call the API with a token of their own; nobody's by default. */
  CORS_ORIGINS: optionalText,
  /** Address in the footer of the public pages that people write to. */
  SUPPORT_EMAIL: Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', default: 'support@quantloom.invalid' }),
  DATA_DIR: Type.String({ minLength: 1, default: '.data' }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  LOG_PRETTY: Type.Boolean({ default: false }),
  /**
   * `build`: build the pages when their sources changed; `built`: serve what is in web/dist; `off`: API and
   * issuer only.
   */
  WEB_PAGES: Type.Union([Type.Literal('build'), Type.Literal('built'), Type.Literal('off')], {
    default: 'build',
  }),
  COMPUTE_THREADS: Type.Integer({ minimum: 1, maximum: 256, default: availableParallelism() }),
  /** Caches of one compute worker thread. */
  COMPUTE_CACHE_MB: Type.Integer({ minimum: 16, maximum: 65536, default: 128 }),
  /** Column files kept in shared memory. */
  MARKET_DATA_CACHE_MB: Type.Integer({ minimum: 16, maximum: 65536, default: 256 }),
  /** Memory that the embedded result store may use before it spills to disk. */
  RESULTS_MEMORY_MB: Type.Integer({ minimum: 64, maximum: 65536, default: 160 }),
  /**
   * What every plan may cost a minute is multiplied by this: for more processors than two, or an installation
   * of one person.
   */
  COST_SCALE: Type.Number({ minimum: 0.01, maximum: 10_000, default: 1 }),
  /** Addresses that may be put onto the waitlist in a day, by everybody together. */
  WAITLIST_PER_DAY: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 1_000 }),
  /** `id:secret` of a machine client of a demo user on the API plan. */
  BOOTSTRAP_API_CLIENT: Type.Optional(Type.String({ pattern: '^[^:\\s]+:[^\\s]+$' })),
  /**
   * 32 bytes, hex; encrypts stored secrets and signs result links. Default: made at first start and kept in
   * DATA_DIR.
   */
  SECRET_KEY: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
  /** `HH:MM` UTC of the daily price refresh; off when empty. */
  MARKET_DATA_REFRESH_AT: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  MARKET_DATA_PROVIDER: optionalText,
  /**
   * `false`: the demo data set ends on the day that it began with, and does not go on after each session of
   * the exchange.
   */
  DEMO_DATA_MOVES: Type.Boolean({ default: true }),
  /** `HH:MM` UTC at which what shows erased accounts is built anew, once for all of a day. */
  ERASURES_AT: Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', default: '03:40' }),

  /** What Prometheus sends as its bearer token; without it `/metrics` is served on private addresses only. */
  METRICS_TOKEN: Type.Optional(Type.String({ minLength: 16 })),

  /**
   * Mail server of the embedded issuer, `smtp://user:password@host:587` or `smtps://…`; without it messages
   * wait in DATA_DIR/outbox.
   */
  SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://.+' })),
  /** Sender of the messages, for example `Quantloom <no-reply@example.com>`. */
  MAIL_FROM: optionalText,

  /**
   * `true`: users may have alerts posted to loopback and private addresses, and over plain HTTP. For
   * installations whose users are trusted.
   */
  WEBHOOKS_TO_PRIVATE_ADDRESSES: Type.Boolean({ default: false }),
  /** Address of Alpaca's paper accounts, which people may then connect; off without it. */
  ALPACA_PAPER_URL: optionalText,

  /** `true`: API clients, shared results and everything public wait until the account's e-mail address is confirmed. */
  SHARING_NEEDS_CONFIRMED_ADDRESS: Type.Boolean({ default: false }),

  /** `true`: what only administrators may do waits until they have a second factor. */
  ADMINISTRATORS_NEED_SECOND_FACTOR: Type.Boolean({ default: false }),

  /** `false`: without a payment provider only administrators change plans. */
  SELF_SERVICE_PLANS: Type.Boolean({ default: true }),

  OIDC_ISSUER: optionalText,
  OIDC_CLIENT_ID: optionalText,
  OIDC_AUDIENCE: optionalText,
  /** Page of an external issuer where people change their password, second factor and sessions: linked from Account. */
  OIDC_ACCOUNT_URL: Type.Optional(Type.String({ pattern: '^https?://.+' })),
  OIDC_MANAGEMENT_CLIENT_ID: optionalText,
  OIDC_MANAGEMENT_CLIENT_SECRET: optionalText,
  STRIPE_SECRET_KEY: optionalText,
  STRIPE_WEBHOOK_SECRET: optionalText,
  /** Id of the Stripe price of each paid plan. */
  STRIPE_API_PRICE: optionalText,
  STRIPE_COPY_TRADER_PRICE: optionalText,

  /** Upstreams of the gateway, `http://host:port` separated by commas. */
  COMMAND_API_URLS: optionalText,
  QUERY_API_URLS: optionalText,
  /** True behind a proxy that sets `X-Forwarded-For` (the gateway does, for the APIs behind it). */
  BEHIND_PROXY: Type.Boolean({ default: false }),

  /**
   * Origin under which the APIs reach the gateway's issuer where PUBLIC_URL is not for them, for example
   * `http://gateway:8080`.
   */
  ISSUER_BACKCHANNEL_URL: optionalText,

  EVENTSTORE_URL: optionalText,
  /** The library that speaks to it. Processes with either work side by side. */
  EVENTSTORE_CLIENT: Type.Union([Type.Literal('eventstore'), Type.Literal('kurrent')], {
    default: 'eventstore',
  }),
  KAFKA_BROKERS: optionalText,
  /** The library that speaks to the brokers. Processes with either work side by side. */
  KAFKA_CLIENT: Type.Union([Type.Literal('kafkajs'), Type.Literal('platformatic')], { default: 'kafkajs' }),
  /** `true`: brokers are reached over TLS. */
  KAFKA_TLS: Type.Boolean({ default: false }),
  /**
   * PEM of the authority that signed the brokers' certificates, where it is not a public one
   * (`KAFKA_TLS_CA_FILE` names a file).
   */
  KAFKA_TLS_CA: optionalText,
  KAFKA_SASL_MECHANISM: Type.Optional(
    Type.Union([Type.Literal('plain'), Type.Literal('scram-sha-256'), Type.Literal('scram-sha-512')]),
  ),
  KAFKA_SASL_USERNAME: optionalText,
  KAFKA_SASL_PASSWORD: optionalText,
  MONGODB_URL: optionalText,
  CLICKHOUSE_URL: optionalText,
  /**
   * Name of the database in MongoDB and ClickHouse; any but the default is also the prefix of Kafka's topics
   * and groups.
   */
  CLUSTER_NAME: Type.String({ pattern: '^[a-z][a-z0-9_]{0,40}$', default: DEFAULT_CLUSTER_NAME }),
  /** Copies of the Kafka topics that are created. */
  KAFKA_REPLICATION: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
  /**
   * Copies that must be written before a message counts as stored, on topics that are created. Default: 2
   * from three copies on.
   */
  KAFKA_MIN_INSYNC_REPLICAS: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  /**
   * Partitions on the bus or in work for each one that the compute nodes work on side by side; whoever waits
   * gets the free ones.
   */
  PARTITIONS_PER_SLOT: Type.Integer({ minimum: 1, maximum: 64, default: 4 }),
  /** Partitions that one user may have there as long as no compute node has said how many it works on. */
  PARTITIONS_PER_USER: Type.Integer({ minimum: 1, maximum: 4096, default: 8 }),
  /**
   * Partitions of each job topic: a compute node works on two of each side by side, so nodes beyond half of
   * this number have little to do.
   */
  JOB_PARTITIONS: Type.Integer({ minimum: 1, maximum: 4096, default: TOPICS.jobs.partitions }),
});

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(ConfigSchema.properties);

export type Config = Static<typeof ConfigSchema> & {
  readonly LOG_LEVEL: string;
  /** `PUBLIC_URL` without a trailing slash, or the local default. */
  readonly publicUrl: string;
  /** `CORS_ORIGINS` one by one, as browsers send them. */
  readonly allowedOrigins: readonly string[];
};

/** A setting that is missing or wrong; its message is meant for the operator. */
export class ConfigurationError extends Error {
  constructor(detail: string) {
    super(`The configuration is not usable: ${detail}`);
    this.name = 'ConfigurationError';
  }
}

function withFiles(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(environment)) {
    // An empty variable means "not set", as in compose files.
    if (value === undefined || value === '') continue;
    const target = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : name;
    if (target === name) values[name] = value;
    else if (Object.hasOwn(ConfigSchema.properties, target)) {
      try {
        values[target] = readFileSync(value, 'utf8').trim();
      } catch (error) {
        throw new ConfigurationError(
          `${name} names ${value}, which cannot be read (${(error as Error).message})`,
        );
      }
    }
  }
  return values;
}

/** Reads and checks the configuration; throws a `ConfigurationError` that names every setting at fault. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  let values: Static<typeof ConfigSchema>;
  try {
    values = envSchema<Static<typeof ConfigSchema>>({
      schema: ConfigSchema,
      data: withFiles(environment),
      env: false,
      dotenv: false,
    });
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const faults = (error as { errors?: readonly { instancePath: string; message?: string }[] }).errors;
    throw new ConfigurationError(
      faults?.map((fault) => `${fault.instancePath.slice(1) || 'environment'} ${fault.message}`).join('; ') ??
        (error as Error).message,
    );
  }
  const external = [values.OIDC_ISSUER, values.OIDC_CLIENT_ID, values.OIDC_AUDIENCE];
  if (external.some(Boolean) && !external.every(Boolean))
    throw new ConfigurationError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_AUDIENCE go together');
  if ((values.KAFKA_MIN_INSYNC_REPLICAS ?? 1) > values.KAFKA_REPLICATION)
    throw new ConfigurationError(
      'KAFKA_MIN_INSYNC_REPLICAS is more than KAFKA_REPLICATION: no message could ever be stored',
    );
  const stripe = [values.STRIPE_SECRET_KEY, values.STRIPE_WEBHOOK_SECRET, values.STRIPE_API_PRICE];
  if (stripe.some(Boolean) && !stripe.every(Boolean))
    throw new ConfigurationError('STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_API_PRICE go together');
  const alpaca = values.ALPACA_PAPER_URL === undefined ? null : paperHostFault(values.ALPACA_PAPER_URL);
  if (alpaca !== null) throw new ConfigurationError(`ALPACA_PAPER_URL cannot be used: ${alpaca}`);
  const sasl = [values.KAFKA_SASL_MECHANISM, values.KAFKA_SASL_USERNAME, values.KAFKA_SASL_PASSWORD];
  if (sasl.some(Boolean) && !sasl.every(Boolean))
    throw new ConfigurationError(
      'KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD go together',
    );
  if (values.KAFKA_TLS_CA && !values.KAFKA_TLS)
    throw new ConfigurationError('KAFKA_TLS_CA is for brokers reached over TLS: set KAFKA_TLS=true');
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '');
  if (!URL.canParse(publicUrl)) throw new ConfigurationError(`PUBLIC_URL ${publicUrl} is not an address`);
  return { ...values, publicUrl, allowedOrigins: originsOf(values.CORS_ORIGINS) };
}

/** Exact origins only: a pattern, or `*`, would let pages in that nobody has thought of. */
function originsOf(text = ''): string[] {
  const origins = text.split(',').map((origin) => origin.trim());
  return origins.filter(Boolean).map((origin) => {
    if (
      !/^https?:/.test(origin) ||
      !URL.canParse(origin) ||
      new URL(origin).origin !== origin ||
      origin.includes('*')
    )
      throw new ConfigurationError(
        `CORS_ORIGINS names ${origin}, which is no origin: write scheme, host and port only, as in ` +
          'https://notebook.example',
      );
    return origin;
  });
}
