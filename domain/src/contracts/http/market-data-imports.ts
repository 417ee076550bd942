import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { ChangedResultsSchema } from '../../market-data/changed-results.ts';
import { ImportReportSchema } from '../../market-data/import-report.ts';
import { defineRoute } from './route.ts';

const tag = 'Market data';
const params = Type.Object(
  { id: Type.String({ minLength: 10, maxLength: 40 }) },
  { additionalProperties: false },
);

/** Bytes of a file that go into one call, before they are written in base64. */
export const UPLOAD_PIECE_BYTES = 3 * 1024 * 1024;

export const UploadStateSchema = Type.Object({
  id: Type.String(),
  state: Type.Union([
    Type.Literal('uploading'),
    Type.Literal('running'),
    Type.Literal('previewed'),
    Type.Literal('published'),
    Type.Literal('refused'),
  ]),
  stage: Type.String(),
  done: said('0..1 of the stage.', Type.Number()),
  error: Type.Union([Type.String(), Type.Null()]),
  question: said(
    'What the files do not tell: to be answered by `dates` or `decimal`.',
    Type.Union([Type.Literal('dates'), Type.Literal('decimal'), Type.Null()]),
  ),
  report: Type.Union([ImportReportSchema, Type.Null()]),
  changed_results: said(
    'Results whose prices the preview would change, or the import has changed; ' +
      'ask again until it is `ready` or `stopped`. Null where there is nothing to look for.',
    Type.Union([ChangedResultsSchema, Type.Null()]),
  ),
});
export type UploadAnswer = Static<typeof UploadStateSchema>;
const answer = Type.Object({ data: UploadStateSchema });

export const beginMarketDataImport = defineRoute({
  id: 'beginMarketDataImport',
  method: 'POST',
  path: '/api/v1/admin/market-data/imports',
  side: 'command',
  tag,
  summary: 'Begin an import of files',
  access: { kind: 'admin' },
  answer,
  status: 201,
});

export const putMarketDataPiece = defineRoute({
  id: 'putMarketDataPiece',
  method: 'POST',
  path: '/api/v1/admin/market-data/imports/{id}/pieces',
  side: 'command',
  tag,
  summary: 'Send a piece of a file of an import',
  access: { kind: 'admin' },
  params,
  body: Type.Object(
    {
      path: said('Of the file, below its folder.', Type.String({ minLength: 1, maxLength: 1000 })),
      offset: Type.Integer({ minimum: 0 }),
      content: said(
        'Base64.',
        Type.String({ maxLength: 6 * 1024 * 1024, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyLimit: 8 * 1024 * 1024,
  answer,
});

export const runMarketDataImport = defineRoute({
  id: 'runMarketDataImport',
  method: 'POST',
  path: '/api/v1/admin/market-data/imports/{id}/run',
  side: 'command',
  tag,
  summary: 'Tell what an import would change, or carry it out',
  access: { kind: 'admin' },
  params,
  body: Type.Object(
    {
      publish: said('False: only tell what would change.', Type.Boolean()),
      replace: Type.Optional(Type.Boolean()),
      keep_different: Type.Optional(Type.Boolean()),
      allow_bad_rows: Type.Optional(Type.Boolean()),
      ticker: Type.Optional(Type.String({ maxLength: 30 })),
      dates: Type.Optional(Type.Union([Type.Literal('day_first'), Type.Literal('month_first')])),
      series: said(
        'The one file is a series for conditions of this name (`@VIXCLS`).',
        Type.Optional(Type.String({ maxLength: 30 })),
      ),
      lag_days: said(
        'Calendar days until a value of it is known.',
        Type.Optional(Type.Integer({ minimum: 0, maximum: 3660 })),
      ),
      decimal: Type.Optional(Type.Union([Type.Literal('point'), Type.Literal('comma')])),
    },
    { additionalProperties: false },
  ),
  answer,
  status: 202,
});

export const getMarketDataImport = defineRoute({
  id: 'getMarketDataImport',
  method: 'GET',
  path: '/api/v1/admin/market-data/imports/{id}',
  side: 'command',
  tag,
  summary: 'How an import goes, and its report',
  access: { kind: 'admin' },
  params,
  answer,
});

export const useMarketDataVersion = defineRoute({
  id: 'useMarketDataVersion',
  method: 'POST',
  path: '/api/v1/admin/market-data/use',
  side: 'command',
  tag,
  summary: 'Make a version of the market data current, for example the one before an import',
  access: { kind: 'admin' },
  body: Type.Object(
    { version: Type.String({ minLength: 1, maxLength: 40 }) },
    { additionalProperties: false },
  ),
  answer: Type.Object({ data: Type.Object({ version: Type.String() }) }),
});
