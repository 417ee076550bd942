import { readFileSync } from 'node:fs';
import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { DEFAULT_AUDIENCE } from '@quantloom/domain/identity/issuer';
import { Command } from 'commander';
import { HttpApi } from '../mcp/api.ts';
import { mcpServer } from '../mcp/server.ts';

interface McpCommandOptions {
  readonly url: string;
  readonly write?: boolean;
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: create an API client under Account, API Clients`);
  return value;
}

/** `quantloom mcp`: serves the API to an assistant, on standard input and output, until the input ends. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('serve the API to an assistant by the Model Context Protocol, on standard input and output')
    .option(
      '--url <address>',
      'the installation; default QUANTLOOM_URL, else this machine',
      process.env.QUANTLOOM_URL ?? 'http://localhost:8080',
    )
    .option('--write', 'offer tools that save strategies and start batches too')
    .addHelpText(
      'after',
      '\nNeeds QUANTLOOM_CLIENT_ID and QUANTLOOM_CLIENT_SECRET in the environment (Account, API Clients).',
    )
    .action(async ({ url, write = false }: McpCommandOptions) => {
      const { version } = JSON.parse(
        readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8'),
      ) as { version: string };
      const api = new HttpApi({
        url,
        clientId: setting('QUANTLOOM_CLIENT_ID'),
        clientSecret: setting('QUANTLOOM_CLIENT_SECRET'),
        audience: process.env.QUANTLOOM_AUDIENCE ?? DEFAULT_AUDIENCE,
      });
      const server = mcpServer({ api, version, mayWrite: write });
      const ended = new Promise<void>((resolve) => {
        server.onclose = resolve;
        process.stdin.once('end', () => void server.close());
      });
      await server.connect(new StdioServerTransport());
      await ended;
    });
}
