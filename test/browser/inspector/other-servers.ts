import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import type { OfferedTarget } from '@ccmcp/inspector';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { completable } from '@modelcontextprotocol/sdk/server/completable.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as second from '@modelcontextprotocol/server';
import {
  InMemoryClientRequestAdapter,
  InMemorySessionAdapter,
  McpServer as LiteServer,
  StreamableHttpTransport,
} from 'mcp-lite';
import { afterAll, onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../support/free-port.ts';
import { listening } from '../../support/listening.ts';

const everythingFile = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** A server of another library, as a Node program. */
export function program(label: string, ...args: string[]): OfferedTarget {
  const target = { kind: 'command', command: process.execPath, args, label } as const;
  return { label, kind: 'command', origin: 'given', resolve: async () => target };
}

/** A server of another library at a URL. */
function address(label: string, url: string): OfferedTarget {
  return { label, kind: 'url', origin: 'given', resolve: async () => ({ kind: 'url', url, label }) };
}

/** Shortens the intervals of a program from five seconds to a quarter of a second. */
const hastily = `data:text/javascript,${encodeURIComponent(
  'const { setInterval } = globalThis; globalThis.setInterval = (work, ms) => setInterval(work, ms / 20);',
)}`;
const everythingArgs = ['--import', hastily, everythingFile];

/** The official "everything" server, on stdio. */
export function everything(): OfferedTarget {
  return program('everything', ...everythingArgs);
}

let everythingProcess: ChildProcess | undefined;
afterAll(() => void everythingProcess?.kill());

let everythingTarget: Promise<OfferedTarget> | undefined;

/** The same over HTTP: one process for all tests of a file, with separate sessions. */
export function everythingOverHttp(): Promise<OfferedTarget> {
  everythingTarget ??= startEverything();
  return everythingTarget;
}

async function startEverything(): Promise<OfferedTarget> {
  const port = await freePort();
  const child = spawn(process.execPath, [...everythingArgs, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  everythingProcess = child;
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (/listening/i.test(chunk.toString())) resolve();
    });
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}`)));
  });
  return address('everything', `http://127.0.0.1:${port}/mcp`);
}

/** Adapts a handler of web-standard requests to `node:http`. */
function toNodeServer(answer: (request: Request) => Promise<Response>): Server {
  const listener = getRequestListener(answer);
  return createServer((request, response) => void listener(request, response));
}

/** A WAV file of a few samples. */
const sound = `UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==`;

/** A server of the official library 1 over HTTP with sessions: features that `server-everything` lacks. */
export async function officialOne(): Promise<OfferedTarget> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
    if (known === undefined) await officialServer().connect(transport);
    await transport.handleRequest(request, response);
  };
  const origin = await listening(createServer((request, response) => void serve(request, response)));
  return address('official', `${origin}/mcp`);
}

function officialServer(): McpServer {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { capabilities: { logging: {} } });
  server.registerTool('sing', { description: 'Gives a sound and a file.' }, () => ({
    content: [
      { type: 'audio', data: sound, mimeType: 'audio/wav', annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'resource', resource: { uri: 'song://text', mimeType: 'text/markdown', text: '# La\n\nla *la*' } },
    ],
  }));
  server.registerTool(
    'measure',
    { description: 'Promises more than it gives.', outputSchema: { width: z.number() } },
    // The library would reject it: the invalid content bypasses its check.
    () => ({ content: [], structuredContent: { width: 3 }, _meta: { 'example.com/unit': 'cm' } }),
  );
  server.registerTool('move', { description: 'Tells how far it is.' }, async ({ _meta, sendNotification }) => {
    for (const progress of [1, 2]) {
      const params = { progressToken: _meta?.progressToken ?? 0, progress, total: 2, message: `step ${progress}` };
      await sendNotification({ method: 'notifications/progress', params });
    }
    await sendNotification({ method: 'notifications/message', params: { level: 'warning', data: 'That was heavy' } });
    return { content: [{ type: 'text', text: 'Moved.' }] };
  });
  server.registerTool('order', { description: 'Asks what you want.', inputSchema: { table: z.number() } }, async () => {
    const { action, content } = await server.server.elicitInput({
      message: 'What do you want?',
      requestedSchema: {
        type: 'object',
        properties: {
          drink: { type: 'string', enum: ['tea', 'water'], title: 'Drink', default: 'tea' },
          dishes: {
            type: 'array',
            title: 'Dishes',
            items: { type: 'string', enum: ['soup', 'bread'] },
            default: ['soup'],
          },
          spicy: { type: 'boolean', title: 'Spicy', default: true },
          count: { type: 'integer', title: 'How many', minimum: 1 },
        },
        required: ['count'],
      },
    });
    return { content: [{ type: 'text', text: `${action}: ${JSON.stringify(content)}` }] };
  });
  server.registerPrompt(
    'greet',
    {
      argsSchema: {
        name: completable(z.string(), (typed) => ['Ada', 'Alan', 'Grace'].filter((each) => each.startsWith(typed))),
      },
    },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }] }),
  );
  server.registerResource(
    'line',
    new ResourceTemplate('song://line/{number}', { list: undefined }),
    { title: 'A line of the song' },
    (uri, { number }) => ({ contents: [{ uri: uri.href, text: `Line ${String(number)}` }] }),
  );
  return server;
}

/** A server of the official library 2, which speaks both eras over HTTP. */
export async function officialTwo(): Promise<OfferedTarget> {
  const handler = second.createMcpHandler(() => {
    const server = new second.McpServer({ name: 'second', version: '1.0.0' });
    const wanted = z.object({ confirm: z.boolean() });
    server.registerTool(
      'deploy',
      {
        title: 'Deploy',
        description: 'Asks whether you are sure.',
        inputSchema: z.object({ to: z.enum(['here', 'there']) }),
      },
      async ({ to }, { mcpReq }) => {
        const answer = second.acceptedContent(mcpReq.inputResponses, 'confirm', wanted);
        if (answer === undefined) {
          const question = second.inputRequired.elicit({ message: `Deploy ${to}?`, requestedSchema: wanted });
          return second.inputRequired({ inputRequests: { confirm: question } });
        }
        return { content: [{ type: 'text', text: answer.confirm ? `Deployed ${to}.` : 'Left as it is.' }] };
      },
    );
    server.registerTool(
      'weigh',
      { description: 'Gives a structured result.', outputSchema: z.object({ grams: z.number() }) },
      () => ({ content: [{ type: 'text', text: '12 g' }], structuredContent: { grams: 12 } }),
    );
    server.registerResource('note', 'note://one', { title: 'The note' }, (uri) => ({
      contents: [{ uri: uri.href, text: 'Remember the milk.' }],
    }));
    return server;
  });
  onTestFinished(() => handler.close());
  const origin = await listening(toNodeServer((request) => handler.fetch(request)));
  return address('second', `${origin}/mcp`);
}

/** A server of mcp-lite over HTTP, on web-standard requests. */
export async function lite(): Promise<OfferedTarget> {
  const server = new LiteServer({
    name: 'lite',
    version: '1.0.0',
    schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
  });
  server.tool('echo', {
    description: 'Gives the message back',
    inputSchema: z.object({ message: z.string() }),
    handler: ({ message }) => ({ content: [{ type: 'text', text: message }] }),
  });
  server.tool('remove', {
    description: 'Asks before it does it.',
    inputSchema: z.object({}),
    handler: async (_, { elicit, progress }) => {
      await progress?.({ progress: 1, total: 2, message: 'Asking' });
      const { action } = await elicit({
        message: 'Really?',
        schema: { type: 'object', properties: { sure: { type: 'boolean' } } },
      });
      return { content: [{ type: 'text', text: `You said ${action}.` }] };
    },
  });
  const transport = new StreamableHttpTransport({
    sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }),
    clientRequestAdapter: new InMemoryClientRequestAdapter({ defaultTimeoutMs: 30_000 }),
  });
  const handle = transport.bind(server);
  const origin = await listening(toNodeServer((request) => handle(request)));
  return address('lite', `${origin}/mcp`);
}
