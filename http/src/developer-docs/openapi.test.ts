import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import { FIELDS } from '@quantloom/domain/strategy/node-fields';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountDeveloperDocs } from './mount.ts';
import { openApiDocument } from './openapi.ts';
import { BLOCK_MEANINGS, strategySection } from './strategies.ts';

const OPTIONS = { serverUrl: 'https://q.example', issuer: 'https://q.example/', version: '1.0.0' };
type Operation = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
};
const document = openApiDocument(ALL_ROUTES, OPTIONS) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

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

  it('has schemas that a validator of the 2020-12 dialect takes, and examples that fit them', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    for (const { operation } of operations) {
      const contents = [
        operation.requestBody?.content['application/json'],
        ...Object.values(operation.responses).map((response) => response.content?.['application/json']),
      ];
      for (const content of contents) {
        if (!content) continue;
        const validate = ajv.compile(content.schema);
        if (content.example === undefined) continue;
        expect(
          validate(content.example),
          `${operation.operationId}: ${ajv.errorsText(validate.errors)}`,
        ).toBe(true);
      }
    }
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
        if (!status.startsWith('2'))
          expect(response.content?.['application/problem+json']?.schema, operation.operationId).toEqual({
            $ref: '#/components/schemas/Problem',
          });
  });
});

describe('the developer page', () => {
  it('is served with its parts, without inline script or style, and with an ETag', async () => {
    const app = Fastify();
    mountDeveloperDocs(app as never, { ...OPTIONS, routes: ALL_ROUTES });
    const page = await app.inject('/developers');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
    for (const [, address = ''] of page.body.matchAll(/(?:href|src)="(\/(?:developers|openapi)[^"#]*)"/g))
      expect((await app.inject(address)).statusCode, address).toBe(200);
    for (const { id } of ALL_ROUTES) expect(page.body).toContain(`id="${id}"`);
    const again = await app.inject({
      url: '/developers',
      headers: { 'if-none-match': String(page.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    await app.close();
  });

  it('says of every type of block what it does', () => {
    expect(Object.keys(BLOCK_MEANINGS)).toEqual(Object.keys(FIELDS));
    const page = strategySection().text;
    for (const [type, fields] of Object.entries(FIELDS))
      for (const name of [type, ...fields]) expect(page).toContain(`<code>${name}</code>`);
    for (const name of INDICATOR_NAMES) expect(page).toContain(`<code>${name}</code>`);
  });
});
