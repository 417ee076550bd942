import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { type Api, CallError } from './api.ts';
import { TOOLS } from './tools.ts';

export interface McpOptions {
  readonly api: Api;
  readonly version: string;
  /** Whether tools that leave something behind are offered. */
  readonly mayWrite: boolean;
}

const text = (value: unknown) => [{ type: 'text' as const, text: JSON.stringify(value) }];

/**
 * A server of the Model Context Protocol whose tools are calls of the API, with the rights of the API client
 * that it was given.
 */
export function mcpServer({ api, version, mayWrite }: McpOptions): Server {
  const tools = TOOLS.filter(({ writes }) => mayWrite || !writes);
  const server = new Server(
    { name: PRODUCT_NAME.toLowerCase(), version },
    {
      capabilities: { tools: {} },
      instructions: `Backtests of strategies for stocks and ETFs. A backtest says what would have happened, not what will. Prices may be simulated: \`provenance.is_simulated\` says so. The best of many backtests is good by luck: read the verdict.${
        mayWrite ? '' : ' This server only reads; it was started without --write.'
      }`,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, input, writes }) => ({
      name,
      title,
      description,
      inputSchema: { ...input, type: 'object' as const },
      annotations: { title, readOnlyHint: !writes, destructiveHint: false, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool)
      return {
        isError: true,
        content: text({
          error: TOOLS.some(({ name }) => name === params.name)
            ? `${params.name} changes something; this server was started without --write`
            : `There is no tool ${params.name}`,
        }),
      };
    try {
      return { content: text(await tool.run(api, params.arguments ?? {})) };
    } catch (error) {
      if (error instanceof CallError)
        return { isError: true, content: text({ ...error.problem, error: error.message }) };
      throw error;
    }
  });
  return server;
}
