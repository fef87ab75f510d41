import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../client/client.ts';
import { connect } from '../../client/connect.ts';
import type { ConnectOptions } from '../../client/connect-options.ts';
import type { Transport } from '../../client/transport.ts';
import type { Message } from '../../jsonrpc/message.ts';
import { createServer } from '../../create-server.ts';
import { tool } from '../../server/define/define.ts';
import { ToolError } from '../../server/call/tool-error.ts';
import { httpTransport } from '../../transports/http/client/transport.ts';
import { serveHttp } from '../../transports/http/server/serve.ts';
import { memoryTransport } from '../../transports/memory.ts';
import { tapTransport } from '../../transports/tap-transport.ts';
import { clientTelemetry } from './client.ts';
import { collect, type CollectedTelemetry } from './fixtures/sdk.ts';
import { telemetry } from './server.ts';

let collected: CollectedTelemetry;

beforeEach(() => {
  collected = collect();
});

afterEach(() => collected.end());

const empty = { input: { type: 'object' } } as const;

function tracedServer(): ReturnType<typeof createServer> {
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      tool('add', empty, () => 'sum'),
      tool('fail', empty, () => {
        throw new ToolError('no');
      }),
      tool('hang', empty, () => new Promise(() => {})),
      tool('ask', empty, async (_args, { elicit }) => {
        const schema = { type: 'object', properties: { tea: { type: 'string' } } } as const;
        return (await elicit({ message: 'Which tea?', schema })).action;
      }),
    ],
  });
  server.observe(telemetry());
  return server;
}

async function tracedClient(transport: Transport, options: ConnectOptions = {}): Promise<Client> {
  const client = await connect(transport, { observers: [clientTelemetry()], ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Runs a function within a span. */
async function within<T>(name: string, run: () => Promise<T>): Promise<T> {
  const span = trace.getTracer('program').startSpan(name);
  try {
    return await context.with(trace.setSpan(context.active(), span), run);
  } finally {
    span.end();
  }
}

function idOf(name: string, kind?: SpanKind): string {
  return collected.span(name, kind).spanContext().spanId;
}

function parentOf(name: string, kind?: SpanKind): string | undefined {
  return collected.span(name, kind).parentSpanContext?.spanId;
}

describe.each(['2025-11-25', '2026-07-28'])('a call over HTTP in revision %s', (version) => {
  async function open(): Promise<{ client: Client; port: number }> {
    const service = await serveHttp(tracedServer(), { port: 0 });
    onTestFinished(() => service.close());
    const client = await tracedClient(httpTransport(service.url), { version });
    return { client, port: Number(new URL(service.url).port) };
  }

  it("is one trace: the program's span, the client's, the server's", async () => {
    const { client } = await open();
    await within('program', () => client.callTool('add'));

    expect(parentOf('tools/call add', SpanKind.CLIENT)).toBe(idOf('program'));
    expect(parentOf('tools/call add', SpanKind.SERVER)).toBe(idOf('tools/call add', SpanKind.CLIENT));
    expect(collected.span('tools/call add', SpanKind.SERVER).spanContext().traceId).toBe(
      collected.span('program').spanContext().traceId,
    );
  });

  it("has the conventions' attributes on the client's side", async () => {
    const { client, port } = await open();
    await client.callTool('add');
    const { attributes } = collected.span('tools/call add', SpanKind.CLIENT);
    const session = collected.span('tools/call add', SpanKind.SERVER).attributes['mcp.session.id'];

    expect(attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'add',
      'gen_ai.operation.name': 'execute_tool',
      'jsonrpc.request.id': expect.stringMatching(/^\d+$/),
      'mcp.protocol.version': version,
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': '127.0.0.1',
      'server.port': port,
      ...(version < '2026' && { 'mcp.session.id': session }),
    });
    expect(session === undefined).toBe(version >= '2026');
  });

  it('measures on both sides, and how long the client was connected', async () => {
    const { client } = await open();
    await client.callTool('add');
    await client.close();
    const calls = async (name: string): Promise<number | undefined> =>
      (await collected.histogram(name)).dataPoints.find(({ attributes }) => attributes['gen_ai.tool.name'] === 'add')
        ?.value.count;

    expect([await calls('mcp.client.operation.duration'), await calls('mcp.server.operation.duration')]).toEqual([
      1, 1,
    ]);
    const [session] = (await collected.histogram('mcp.client.session.duration')).dataPoints;
    expect(session).toMatchObject({ attributes: { 'mcp.protocol.version': version, 'network.transport': 'tcp' } });
    expect(session?.value.count).toBe(1);
  });
});

describe('a question of the server', () => {
  const elicit: ConnectOptions['elicit'] = () => {
    trace.getTracer('program').startSpan('form').end();
    return { action: 'accept', content: { tea: 'mint' } };
  };

  it('as a request continues the trace of the asking tool', async () => {
    const client = await tracedClient(memoryTransport(tracedServer()), { version: '2025-11-25', elicit });
    await within('program', () => client.callTool('ask'));

    expect(parentOf('elicitation/create', SpanKind.CLIENT)).toBe(idOf('tools/call ask', SpanKind.SERVER));
    expect(parentOf('elicitation/create', SpanKind.SERVER)).toBe(idOf('elicitation/create', SpanKind.CLIENT));
    expect(parentOf('form')).toBe(idOf('elicitation/create', SpanKind.SERVER));
  });

  it("within a result is answered in the trace of the program's call", async () => {
    const client = await tracedClient(memoryTransport(tracedServer()), { version: '2026-07-28', elicit });
    await within('program', () => client.callTool('ask'));
    const rounds = collected.spans().filter(({ name, kind }) => name === 'tools/call ask' && kind === SpanKind.CLIENT);

    expect(rounds.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      idOf('program'),
      idOf('program'),
    ]);
    expect(parentOf('elicitation/create', SpanKind.SERVER)).toBe(idOf('program'));
    expect(parentOf('form')).toBe(idOf('elicitation/create', SpanKind.SERVER));
  });
});

describe("a client's span", () => {
  it('has the error of a failed call', async () => {
    const client = await tracedClient(memoryTransport(tracedServer()));
    const controller = new AbortController();
    await client.callTool('fail');
    await expect(client.callTool('nobody')).rejects.toThrow('nobody');
    await expect(client.callTool('hang', {}, { timeoutMs: 20 })).rejects.toThrow('No answer');
    const hanging = client.callTool('hang', {}, { signal: controller.signal });
    controller.abort();
    await expect(hanging).rejects.toThrow('aborted');
    const calls = collected
      .spans()
      .filter(({ attributes, kind }) => attributes['mcp.method.name'] === 'tools/call' && kind === SpanKind.CLIENT);

    expect(calls.map(({ attributes }) => attributes['error.type'])).toEqual([
      'tool_error',
      '-32602',
      'timeout',
      'cancelled',
    ]);
    expect(new Set(calls.map(({ status }) => status.code))).toEqual(new Set([SpanStatusCode.ERROR]));
  });

  it("is sent to the server in addition to the program's _meta", async () => {
    const sent: Message[] = [];
    const transport = tapTransport(memoryTransport(tracedServer()), (sender, message) => {
      if (sender === 'client') sent.push(message);
    });
    const client = await tracedClient(transport, { version: '2025-11-25' });
    await client.callTool('add', {}, { meta: { 'com.example/tenant': 'acme' } });
    const { traceId, spanId } = collected.span('tools/call add', SpanKind.CLIENT).spanContext();

    expect(sent.find((message) => 'method' in message && message.method === 'tools/call')).toMatchObject({
      params: { _meta: { 'com.example/tenant': 'acme', traceparent: `00-${traceId}-${spanId}-01` } },
    });
  });
});

describe('a client without telemetry', () => {
  it('sends no trace context', async () => {
    const sent: Message[] = [];
    const client = await connect(
      tapTransport(memoryTransport(tracedServer()), (_, message) => void sent.push(message)),
    );
    await within('program', () => client.callTool('add'));
    await client.close();

    expect(JSON.stringify(sent)).not.toContain('traceparent');
  });
});
