import { type Static, Type } from 'typebox';
import { shownAs } from '../kernel/said.ts';
import { FIGURE_NAMES, FiguresSchema, RunTermsSchema } from '../strategy-run/events.ts';

export const CERTIFICATE_KIND = 'quantloom-certificate-1';

/**
 * What a result is claimed to be: which strategy, on which terms, prices and engine, came to which hash and
 * figures. Whoever has the same prices can compute it again.
 */
export const CertificateSchema = Type.Object({
  kind: Type.Literal(CERTIFICATE_KIND),
  strategy: Type.Object({
    id: Type.String({ maxLength: 100 }),
    name: Type.String({ maxLength: 1000 }),
    revision: Type.Integer({ minimum: 0 }),
    /** `treeFingerprint` of its tree. */
    tree_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
  terms: RunTermsSchema,
  data_version: Type.String({ maxLength: 100 }),
  engine_version: Type.String({ maxLength: 100 }),
  is_simulated: Type.Boolean(),
  result_hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  first_day: Type.String({ maxLength: 10 }),
  last_day: Type.String({ maxLength: 10 }),
  metrics: FiguresSchema,
  trading_bot: Type.Optional(
    shownAs(
      'Strategy',
      Type.Unknown({
        description: 'The strategy itself; without it only who may see the strategy can compute it again',
      }),
    ),
  ),
});
export type Certificate = Static<typeof CertificateSchema>;

/** What computing it again has come to. */
export type Recomputed =
  | { readonly kind: 'no_strategy' }
  | { readonly kind: 'other_strategy' }
  | { readonly kind: 'data_version_gone' }
  /** It does not run: the engine's sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'computed';
      readonly engineVersion: string;
      /** As the engine that the certificate names writes it, of the days and values that this one has computed. */
      readonly resultHash: string;
      readonly firstDay: string;
      readonly lastDay: string;
      readonly figures: Certificate['metrics'];
    };

export interface Verification {
  /** Everything that the certificate says was computed again and is the same. */
  readonly confirmed: boolean;
  /**
   * What differs, or why it could not be computed; a sentence each. Empty where it is confirmed by the engine
   * that made it.
   */
  readonly findings: readonly string[];
}

const FAILURES = {
  no_strategy:
    'The certificate does not hold the strategy, and you cannot see it here: it cannot be computed again.',
  other_strategy: 'The strategy is not the one that the certificate names: its hash is another one.',
} as const;

/** Holds a certificate against what was computed. */
export function verify(certificate: Certificate, recomputed: Recomputed): Verification {
  const { kind } = recomputed;
  if (kind === 'no_strategy' || kind === 'other_strategy')
    return { confirmed: false, findings: [FAILURES[kind]] };
  if (kind === 'data_version_gone') {
    const gone = `The prices of version ${certificate.data_version} are not here: the result cannot be computed again.`;
    return { confirmed: false, findings: [gone] };
  }
  if (kind === 'refused')
    return { confirmed: false, findings: [`It cannot be run here: ${recomputed.reason}`] };
  const differences: string[] = [];
  const compare = (name: string, claimed: unknown, found: unknown) => {
    if (!Object.is(claimed, found))
      differences.push(`${name}: ${claimed ?? 'none'} in the certificate, ${found ?? 'none'} computed.`);
  };
  compare('First day', certificate.first_day, recomputed.firstDay);
  compare('Last day', certificate.last_day, recomputed.lastDay);
  for (const name of FIGURE_NAMES) compare(name, certificate.metrics[name], recomputed.figures[name]);
  compare('Result hash', certificate.result_hash, recomputed.resultHash);
  const { engine_version: made } = certificate;
  const confirmed = differences.length === 0;
  if (made === recomputed.engineVersion) return { confirmed, findings: differences };
  const other = `The certificate was made by engine ${made}, and this is engine ${recomputed.engineVersion}`;
  return {
    confirmed,
    findings: confirmed ? [`${other}: it computes the same, bit by bit.`] : [`${other}.`, ...differences],
  };
}
