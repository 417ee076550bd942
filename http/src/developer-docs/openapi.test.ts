import { readFileSync } from 'node:fs';
import { OPERATION_LINKS, OPERATION_TEXTS } from '@quantloom/domain/contracts/documented/operations';
import { BLOCK_SCHEMAS } from '@quantloom/domain/contracts/documented/strategy';
import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { MEANINGS } from '@quantloom/domain/strategy/block-meanings';
import { FIELDS, WEIGHT_BLOCKS } from '@quantloom/domain/strategy/block-table';
import { INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import type { WeightKind } from '@quantloom/domain/strategy/tree';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Fastify from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { mountPublicPageFiles } from '../public-pages/mount.ts';
import { DOCUMENT_FILE, documentFor, freshDocument } from './kept-document.ts';
import { mountDeveloperDocs } from './mount.ts';
import { openApiDocument } from './openapi.ts';
import { strategySection } from './strategies.ts';

const OPTIONS = { serverUrl: 'https://q.example', issuer: 'https://q.example/', version: '1.0.0' };
type Content = Record<string, { schema: object; example?: unknown }>;
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required?: boolean; description: string }[];
  requestBody?: { content: Content };
  responses: Record<
    string,
    { content?: Content; links?: Record<string, { operationId: string }>; $ref?: string }
  >;
};
const document = openApiDocument(ALL_ROUTES, OPTIONS) as {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { description?: string; properties?: object }>;
    responses: Record<string, { content: Content }>;
  };
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const schemas = Object.entries(document.components.schemas);

/** Schemas that hold documents of other programs, or of the engine's own workings: nothing is said of their fields. */
const OPEN = ['DebugData', 'ImportRequest'];

describe('the OpenAPI document', () => {
  it('holds every route, with its path parameters', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(
      ALL_ROUTES.map(({ id }) => id).sort(),
    );
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name).sort(), operation.operationId).toEqual(named.sort());
    }
  });

  it('says of every tag what is in that chapter', () => {
    const unsaid = document.tags.filter(({ name, description }) => description === name);
    expect(
      unsaid.map(({ name }) => name),
      'Give routes a tag that is there, or the new one its text in TAG_TEXTS of openapi.ts',
    ).toEqual([]);
  });

  it('describes every operation and every parameter, and nothing that is no longer there', () => {
    expect(Object.keys(OPERATION_TEXTS).sort(), 'Describe each in OPERATION_TEXTS').toEqual(
      ALL_ROUTES.map(({ id }) => id).sort(),
    );
    for (const { operation } of operations) {
      expect(operation.description.startsWith(OPERATION_TEXTS[operation.operationId] ?? '?')).toBe(true);
      for (const { name, description } of operation.parameters)
        expect(description, `${operation.operationId} ${name}`).toMatch(/^\S.{3,}[.!?]$/s);
    }
    for (const target of Object.values(OPERATION_LINKS).flat())
      expect(OPERATION_TEXTS).toHaveProperty(target);
  });

  it('has schemas that a validator of the 2020-12 dialect takes, and an example of every body and answer that fits', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addSchema({ ...document, $id: 'https://q.example/openapi' });
    const absolute = (schema: object) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/comp', '"https://q.example/openapi#/comp')) as object;
    const contents = [
      ...operations.flatMap(({ operation }) =>
        [operation.requestBody, ...Object.values(operation.responses)].map(
          (part) => [operation.operationId, part?.content?.['application/json']] as const,
        ),
      ),
      ...Object.entries(document.components.responses).map(
        ([name, { content }]) => [name, content['application/problem+json']] as const,
      ),
    ];
    for (const [name, content] of contents) {
      if (!content) continue;
      expect(content.example, name).toBeDefined();
      const validate = ajv.compile(absolute(content.schema));
      expect(validate(content.example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
    }
  });

  it('leaves no field open', () => {
    const open: string[] = [];
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) visit(item, `${at}/${index}`);
        return;
      }
      const schema = value as Record<string, unknown>;
      if (typeof schema.properties === 'object' && schema.properties !== null)
        for (const [name, field] of Object.entries(schema.properties)) {
          const says = ['type', '$ref', 'anyOf', 'oneOf', 'const', 'enum'].some((key) => key in field);
          if (!says) open.push(`${at}/${name}`);
        }
      if (schema.type === 'array' && Object.keys(schema.items ?? {}).length === 0) open.push(at);
      if (schema.additionalProperties === true) open.push(at);
      if (schema.type === 'object' && !schema.properties && !schema.additionalProperties) open.push(at);
      for (const [name, inner] of Object.entries(schema))
        if (name !== 'example') visit(inner, `${at}/${name}`);
    };
    for (const [name, schema] of schemas) if (!OPEN.includes(name)) visit(schema, name);
    for (const { operation } of operations) {
      visit(operation.requestBody?.content, operation.operationId);
      for (const { content } of Object.values(operation.responses)) visit(content, operation.operationId);
    }
    expect(open).toEqual([]);
  });

  it('names what programs work with', () => {
    const names = schemas.map(([name]) => name);
    for (const name of [
      ...['Strategy', 'Block', 'Condition', 'BacktestRequest', 'BacktestAnswer', 'BatchRequest', 'Batch'],
      ...['ResultRow', 'ResultsPage', 'Verdict', 'Estimate', 'TradingBot', 'Problem', 'ErrorCode'],
      ...Object.values(BLOCK_SCHEMAS),
    ])
      expect(names).toContain(name);
  });

  it('is kept as it is made, and served for the installation', () => {
    const kept = readFileSync(DOCUMENT_FILE, 'utf8');
    expect(kept === freshDocument(), 'run `npm run openapi` and commit what it writes').toBe(true);
    expect(JSON.parse(documentFor(OPTIONS))).toEqual(document);
  });

  it('lets machines only where the contract does', () => {
    for (const route of ALL_ROUTES) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      const isForMachines = route.access.kind === 'user' && route.access.machine;
      expect(operation?.security.some((way) => 'machine' in way) ?? false, route.id).toBe(isForMachines);
      if (route.access.kind === 'public') expect(operation?.security).toEqual([]);
    }
  });

  it('gives the one error body everywhere', () => {
    for (const { operation } of operations)
      for (const [status, response] of Object.entries(operation.responses))
        if (!status.startsWith('2')) {
          const [name = ''] = response.$ref?.split('/').slice(-1) ?? [];
          expect(
            document.components.responses[name]?.content['application/problem+json']?.schema,
            operation.operationId,
          ).toEqual({ $ref: '#/components/schemas/Problem' });
        }
  });
});

describe('the developer page', () => {
  it('is served with its parts, without inline script or style, and with an ETag', async () => {
    const app = Fastify();
    mountPublicPageFiles(app as never);
    mountDeveloperDocs(app as never, OPTIONS);
    const page = await app.inject('/developers');
    for (const { id } of ALL_ROUTES) expect(page.body).toContain(`href="/developers/${id}"`);
    const again = await app.inject({
      url: '/developers',
      headers: { 'if-none-match': String(page.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    // Every page that can be reached from here, and every link on them.
    const waiting = ['/developers', '/developers/search?q=sharpe+ratio'];
    const seen = new Set(waiting);
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const { statusCode, body } = await app.inject(address);
      expect(statusCode, address).toBe(200);
      if (!body.startsWith('<!doctype')) continue;
      expect(body, address).not.toMatch(/<script(?! src="\/public-pages\/)|<style|\sstyle=|\son\w+=/);
      for (const [, href = ''] of body.matchAll(
        /(?:href|src)="(\/(?:developers|openapi|public-pages)[^"#]*)/g,
      ))
        if (!seen.has(href)) {
          seen.add(href);
          waiting.push(href);
        }
    }
    expect(seen.size).toBeGreaterThan(150);
    await app.close();
  });

  it('shows every operation with snippets that fit it, and finds things', async () => {
    const app = Fastify();
    mountDeveloperDocs(app as never, OPTIONS);
    const { body } = await app.inject('/developers/getBatchVerdict');
    expect(body).toContain(
      'curl -X GET &quot;$QUANTLOOM_URL/api/v1/batch-backtests/01JGX2X76HGVEDYCSPN3NGRGDN/',
    );
    expect(body).toContain('quantloom.api.GET(');
    expect(body).toContain('/developers/schemas/Verdict');
    const found = await app.inject('/developers/search?q=quota');
    expect(found.body).toContain('/developers/getBatchQuota');
    expect((await app.inject('/developers/nothing')).statusCode).toBe(404);
    const written = vi.spyOn(JSON, 'stringify');
    const many = 'quota of the a an to in is by with';
    const firstWords = await app.inject(`/developers/search?q=${encodeURIComponent(many)}`);
    // Anybody may search: what is looked through was written down before, and so many words are looked for.
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
    const more = await app.inject(`/developers/search?q=${encodeURIComponent(`${many} xyzzyq`)}`);
    const hits = (text: string) => text.match(/<li><a href="\/developers[^"]*">[^<]*<\/a><p>/g);
    expect(hits(firstWords.body)?.length).toBeGreaterThan(0);
    expect(hits(more.body)).toEqual(hits(firstWords.body));
    await app.close();
  });

  it('says of every type of block what it does', () => {
    const page = strategySection().text;
    for (const [type, fields] of Object.entries(FIELDS))
      for (const name of [type, ...fields]) expect(page).toContain(`<code>${name}</code>`);
    expect(Object.keys(MEANINGS)).toEqual(Object.keys(FIELDS));
    for (const type of Object.keys(WEIGHT_BLOCKS) as WeightKind[]) expect(page).toContain(MEANINGS[type]);
    expect(page).not.toContain('<code>pasted</code>');
    for (const name of INDICATOR_NAMES) expect(page).toContain(`<code>${name}</code>`);
  });
});
