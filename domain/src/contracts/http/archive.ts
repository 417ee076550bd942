import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { PresignedSchema } from './results.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';

export const getArchive = defineRoute({
  id: 'getArchive',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/users/me/archive',
  side: 'query',
  tag,
  summary: 'Everything that the caller has made, as one ZIP file',
  access: { kind: 'user', machine: false },
  query: Type.Object({
    link: said(
      'Answer `{presigned_url}` instead: an address that works without a token for a minute.',
      Type.Optional(Type.Boolean()),
    ),
  }),
  answer: Type.Union([Type.String(), PresignedSchema]),
  alsoProduces: ['application/octet-stream'],
});

export const downloadArchive = defineRoute({
  id: 'downloadArchive',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/users/me/archive/download',
  side: 'query',
  tag,
  summary: "The target of an archive's presigned link; works without a token until the link expires",
  access: { kind: 'public' },
  query: Type.Object({
    user: Type.String({ minLength: 1, maxLength: 100 }),
    expires: Type.String({ pattern: '^\\d{1,15}$' }),
    signature: Type.String({ maxLength: 200 }),
  }),
  answer: Type.String(),
  alsoProduces: ['application/octet-stream'],
});
