import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as Transport1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { handshake, statelessClient, textOf } from '../../packages/core/src/transports/http/server/fixtures/client.ts';
import { readEvents, type WireMessage } from '../../packages/core/src/transports/http/server/fixtures/events.ts';

/** A client of some library that records what it receives. */
export interface Peer {
  readonly name: string;
  /** Calls a tool; returns the text of its result. */
  call(tool: string, args: Record<string, unknown>): Promise<string | undefined>;
  /** Calls a tool and returns its progress notifications, in order. */
  follow(tool: string, args: Record<string, unknown>, onProgress: () => void): Promise<number[]>;
  /** Received notifications: methods, and log messages. */
  readonly received: unknown[];
  /** Errors that it reported. */
  readonly complaints: Error[];
  close(): Promise<void>;
}

export interface PeerKind {
  readonly kind: string;
  /** True if it answers questions with its own name. */
  readonly answers: boolean;
  connect(url: string, name: string): Promise<Peer>;
}

const info = (name: string): { name: string; version: string } => ({ name, version: '1.0.0' });

async function official1(transport: Transport1, name: string, goodbye: () => Promise<void>): Promise<Peer> {
  const client = new Client1(info(name), { capabilities: { elicitation: {} } });
  const received: unknown[] = [];
  const complaints: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void complaints.push(error);
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept' as const, content: { name } }));
  client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void received.push(method));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void received.push(params.data));
  await client.connect(transport);
  return {
    name,
    received,
    complaints,
    async call(tool, args) {
      const { content } = await client.callTool({ name: tool, arguments: args });
      return (content as { text?: string }[])[0]?.text;
    },
    async follow(tool, args, onProgress) {
      const notified: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => {
        notified.push(progress);
        onProgress();
      };
      await client.callTool({ name: tool, arguments: args }, undefined, { onprogress });
      return notified;
    },
    async close() {
      await goodbye();
      await client.close();
    },
  };
}

async function official1Http(url: string, name: string): Promise<Peer> {
  const transport = new Http1(new URL(url));
  return official1(transport, name, () => transport.terminateSession());
}

async function official2(url: string, name: string, mode?: 'auto' | { pin: string }): Promise<Peer> {
  const client = new Client2(info(name), {
    capabilities: { elicitation: {} },
    ...(mode !== undefined && { versionNegotiation: { mode } }),
  });
  const received: unknown[] = [];
  const complaints: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has no other way
  client.onerror = (error) => void complaints.push(error);
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name } }));
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void received.push(method));
  client.setNotificationHandler('notifications/message', ({ params }) => void received.push(params.data));
  const transport = new Http2(new URL(url));
  await client.connect(transport);
  if (mode !== undefined) await client.listen({ toolsListChanged: true });
  const logLevel = mode === undefined ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': 'info' } };
  return {
    name,
    received,
    complaints,
    async call(tool, args) {
      const { content } = await client.callTool({ name: tool, arguments: args, ...logLevel });
      return (content as { text?: string }[])[0]?.text;
    },
    async follow(tool, args, onProgress) {
      const notified: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => {
        notified.push(progress);
        onProgress();
      };
      await client.callTool({ name: tool, arguments: args }, { onprogress });
      return notified;
    },
    async close() {
      if (mode === undefined) await transport.terminateSession();
      await client.close();
    },
  };
}

/** Reads a stream to its end, or to the end of the test. */
async function collect(messages: AsyncIterable<WireMessage>, received: unknown[]): Promise<void> {
  for await (const { method, params } of messages) received.push(params?.data ?? method);
}

async function* messagesOf(response: Response): AsyncGenerator<WireMessage> {
  const events = readEvents(response);
  for (let next = await events.message(); next !== undefined; next = await events.message()) yield next;
}

async function rawSession(url: string, name: string): Promise<Peer> {
  const session = await handshake(url, { capabilities: { elicitation: {} } });
  const received: unknown[] = [];
  const listening = new AbortController();
  const stream = await session.get({}, { signal: listening.signal });
  const ended = collect(messagesOf(stream), received).catch(() => {});
  const drive = async (response: Response, onProgress: (progress: unknown) => void): Promise<string | undefined> => {
    if (response.headers.get('content-type') === 'application/json')
      return textOf((await response.json()) as WireMessage);
    for await (const message of messagesOf(response)) {
      if (message.method === 'notifications/progress') onProgress(message.params?.progress);
      else if (message.method === 'notifications/message') received.push(message.params?.data);
      else if (message.method === 'elicitation/create') {
        await session.post({ jsonrpc: '2.0', id: message.id, result: { action: 'accept', content: { name } } });
      } else return textOf(message);
    }
    return undefined;
  };
  return {
    name,
    received,
    complaints: [],
    call: async (tool, args) => drive(await session.sendCall(tool, args), () => {}),
    async follow(tool, args, onProgress) {
      const notified: number[] = [];
      await drive(await session.sendCall(tool, args, { meta: { progressToken: 1 } }), (progress) => {
        notified.push(progress as number);
        onProgress();
      });
      return notified;
    },
    async close() {
      listening.abort();
      await ended;
      await session.end();
    },
  };
}

async function rawStateless(url: string, name: string): Promise<Peer> {
  const client = statelessClient(url);
  const received: unknown[] = [];
  const listening = new AbortController();
  const params = { notifications: { toolsListChanged: true } };
  const stream = messagesOf(await client.send('subscriptions/listen', params, { id: 1, signal: listening.signal }));
  await stream.next();
  const ended = collect(stream, received).catch(() => {});
  const meta = { 'io.modelcontextprotocol/logLevel': 'info' };
  return {
    name,
    received,
    complaints: [],
    async call(tool, args) {
      const response = await client.sendCall(tool, args, { id: 1, meta });
      if (response.headers.get('content-type') === 'application/json') {
        return textOf((await response.json()) as WireMessage);
      }
      let last: WireMessage = {};
      for await (const message of messagesOf(response)) {
        if (message.method === 'notifications/message') received.push(message.params?.data);
        last = message;
      }
      return textOf(last);
    },
    async follow(tool, args, onProgress) {
      const notified: number[] = [];
      const response = await client.sendCall(tool, args, { id: 1, meta: { progressToken: 1 } });
      for await (const { method, params } of messagesOf(response)) {
        if (method !== 'notifications/progress') continue;
        notified.push(params?.progress as number);
        onProgress();
      }
      return notified;
    },
    async close() {
      listening.abort();
      await ended;
    },
  };
}

/** Clients of every library, on one endpoint and on `/sse` beside it. */
export const peerKinds: readonly PeerKind[] = [
  {
    kind: 'official 1, Streamable HTTP',
    answers: true,
    connect: official1Http,
  },
  {
    kind: 'official 1, HTTP+SSE',
    answers: true,
    connect: (url, name) => official1(new Sse1(new URL('/sse', url)), name, async () => {}),
  },
  { kind: 'official 2, handshake', answers: true, connect: (url, name) => official2(url, name) },
  { kind: 'official 2, by probing', answers: true, connect: (url, name) => official2(url, name, 'auto') },
  {
    kind: 'official 2, pinned',
    answers: true,
    connect: (url, name) => official2(url, name, { pin: '2026-07-28' }),
  },
  { kind: 'raw session', answers: true, connect: rawSession },
  { kind: 'raw stateless', answers: false, connect: rawStateless },
];
