import { Type } from 'typebox';
import { CertificateSchema } from '../../certificate/certificate.ts';
import { BACKTEST_BODY_LIMIT } from './backtests.ts';
import { defineRoute } from './route.ts';
import { RunParams } from './strategy-runs.ts';

const tag = 'Results';
const signedIn = { kind: 'user', machine: true } as const;

export const getCertificate = defineRoute({
  id: 'getCertificate',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/runs/{run}/certificate',
  side: 'query',
  tag,
  summary:
    'A file that says what a recorded run was made of and came to, for anybody to compute it again; ' +
    'with the strategy unless `strategy=without`',
  access: signedIn,
  params: RunParams,
  query: Type.Object({
    strategy: Type.Optional(Type.Union([Type.Literal('with'), Type.Literal('without')])),
  }),
  answer: CertificateSchema,
});

export const verifyCertificate = defineRoute({
  id: 'verifyCertificate',
  cost: 'run',
  method: 'POST',
  path: '/api/v1/certificates/verify',
  side: 'query',
  tag,
  summary: 'Computes the result of a certificate again, and confirms it or says what differs',
  access: signedIn,
  body: CertificateSchema,
  bodyLimit: BACKTEST_BODY_LIMIT,
  document: 'certificate',
  answer: Type.Object({
    confirmed: Type.Boolean(),
    findings: Type.Array(Type.String(), { description: 'What differs, a sentence each' }),
  }),
});
