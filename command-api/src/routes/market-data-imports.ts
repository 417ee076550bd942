import {
  beginMarketDataImport,
  getMarketDataImport,
  putMarketDataPiece,
  runMarketDataImport,
  type UploadAnswer,
  useMarketDataVersion,
} from '@quantloom/domain/contracts/http/market-data-imports';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { ChangedResults } from '@quantloom/domain/market-data/changed-results';
import type { MarketDataImports, UploadState } from '@quantloom/domain/ports/market-data-imports';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import type { CommandApiDeps } from '../deps.ts';

const UNKNOWN = refuse(
  404,
  'import_not_found',
  'There is no import of that id; imports that nobody finished are gone after a day.',
);
const ABSENT = refuse(
  409,
  'imports_unavailable',
  'This installation takes no files over the network: use the command line.',
);

/** Imports of files by administrators, and going back to another version. */
export function mountMarketDataImports(
  app: FastifyInstance,
  deps: Pick<CommandApiDeps, 'marketDataImports' | 'newId'>,
): void {
  const withImports = async <Result>(
    work: (imports: MarketDataImports) => Promise<Result>,
  ): Promise<Result | Refusal> => {
    if (!deps.marketDataImports) return ABSENT;
    try {
      return await work(deps.marketDataImports);
    } catch (error) {
      if (error instanceof RangeError) return refuse(400, 'bad_upload', error.message);
      const { code, message } = error as { code?: unknown; message?: unknown };
      if (code === 'unknown_version')
        return refuse(404, 'data_set_not_found', 'There is no data set of that version.');
      if (code === 'import_running') return refuse(409, 'import_running', String(message));
      if (code === 'data_set_damaged') return refuse(409, 'data_set_damaged', String(message));
      throw error;
    }
  };
  const told = (id: string, state: UploadState | null, changed: ChangedResults | null = null) =>
    state === null ? UNKNOWN : { data: answerOf(id, state, changed) };

  mountRoute(app, beginMarketDataImport, () =>
    withImports(async (imports) => {
      const id = deps.newId();
      return { data: answerOf(id, await imports.begin(id), null) };
    }),
  );
  mountRoute(app, putMarketDataPiece, ({ params, body }) =>
    withImports(async (imports) =>
      told(
        params.id,
        await imports.put(params.id, body.path, body.offset, Buffer.from(body.content, 'base64')),
      ),
    ),
  );
  mountRoute(app, runMarketDataImport, ({ params, body }) =>
    withImports(async (imports) => {
      const {
        publish,
        replace = false,
        keep_different = false,
        allow_bad_rows = false,
        ticker,
        dates,
        decimal,
        series,
        lag_days,
      } = body;
      const state = await imports.run(params.id, {
        publish,
        replace,
        keepDifferent: keep_different,
        allowBadRows: allow_bad_rows,
        ...(ticker && { ticker }),
        ...(dates && { dates }),
        ...(decimal && { decimal }),
        ...(series && { series }),
        ...(lag_days !== undefined && { lagDays: lag_days }),
      });
      return told(params.id, state);
    }),
  );
  mountRoute(app, getMarketDataImport, ({ params, principal }) =>
    withImports(async (imports) => {
      const state = await imports.state(params.id);
      const changed = await imports.changedResults(params.id, principal.userId);
      return told(params.id, state, changed);
    }),
  );
  mountRoute(app, useMarketDataVersion, ({ body }) =>
    withImports(async (imports) => {
      await imports.use(body.version);
      return { data: { version: body.version } };
    }),
  );
}

function answerOf(
  id: string,
  { state, stage, done, error, question, report }: UploadState,
  changed_results: ChangedResults | null,
): UploadAnswer {
  return { id, state, stage, done, error, question, report, changed_results };
}
