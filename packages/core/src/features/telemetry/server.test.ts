import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '../../create-server.ts';
import { prompt, resource, tool } from '../../server/define/define.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import type { Server } from '../../server/server.ts';
import { ToolError } from '../../server/call/tool-error.ts';
import { nextTurn } from '../../runtime/timers.ts';
import { collect, type CollectedTelemetry } from './fixtures/sdk.ts';
import type { ServerTelemetryOptions } from './options.ts';
import { telemetry } from './server.ts';

const empty = { input: { type: 'object' } } as const;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

let collected: CollectedTelemetry;

beforeEach(() => {
  collected = collect();
});

afterEach(() => collected.end());

function served(options?: ServerTelemetryOptions): Server {
  const server = createServer({
    name: 's',
    version: '1',
    logger: { level: 'emergency', write() {} },
    tools: [
      tool('add', empty, () => {
        trace.getTracer('library').startSpan('at once').end();
        return 'sum';
      }),
      tool('late', empty, async () => {
        await nextTurn();
        trace.getTracer('library').startSpan('later').end();
        return propagation.getActiveBaggage()?.getEntry('tenant')?.value ?? 'no baggage';
      }),
      tool('fail', empty, () => {
        throw new ToolError('no');
      }),
      tool('hang', empty, () => new Promise(() => {})),
    ],
    resources: [resource('memo://one', { name: 'one' }, () => 'text')],
    prompts: [prompt('hello', {}, () => 'Hello')],
  });
  server.observe(telemetry(options));
  return server;
}

const origin = { transport: 'http', session: 'a-secret-of-the-client', address: '192.0.2.7' };

describe('the span of a request', () => {
  it('has the name, the kind and the attributes of the semantic conventions', async () => {
    await connectDirect(served(), { origin }).request('tools/call', { name: 'add', arguments: {} }, 'seven');
    const { kind, attributes, status, parentSpanContext } = collected.span('tools/call add');

    expect([kind, status.code, parentSpanContext]).toEqual([SpanKind.SERVER, SpanStatusCode.UNSET, undefined]);
    expect(attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'add',
      'gen_ai.operation.name': 'execute_tool',
      'jsonrpc.request.id': 'seven',
      'mcp.protocol.version': '2026-07-28',
      'mcp.session.id': expect.stringMatching(/^[\da-f]{24}$/),
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'client.address': '192.0.2.7',
    });
  });

  it.each([
    ['tools/list', {}, 'tools/list', {}],
    ['prompts/get', { name: 'hello' }, 'prompts/get hello', { 'gen_ai.prompt.name': 'hello' }],
    ['resources/read', { uri: 'memo://one' }, 'resources/read', { 'mcp.resource.uri': 'memo://one' }],
  ])('of %s has its target', async (method, params, name, attributes) => {
    await connectDirect(served(), { origin: { transport: 'stdio' } }).request(method, params);

    expect(collected.span(name).attributes).toMatchObject({ ...attributes, 'network.transport': 'pipe' });
    expect(collected.span(name).attributes).not.toHaveProperty('gen_ai.operation.name');
  });

  it('is the parent of those that the handler and its libraries make, at once and later', async () => {
    const client = connectDirect(served());
    await client.request('tools/call', { name: 'add' });
    await client.request('tools/call', { name: 'late' });

    for (const [child, parent] of [
      ['at once', 'tools/call add'],
      ['later', 'tools/call late'],
    ] as const) {
      expect(collected.span(child).parentSpanContext?.spanId).toBe(collected.span(parent).spanContext().spanId);
    }
  });

  it.each([
    ['fail', 'tool_error', undefined],
    ['nobody', '-32602', '-32602'],
  ])('of a failed call of %s has the error', async (name, type, code) => {
    await connectDirect(served()).request('tools/call', { name });
    const [{ attributes, status } = {}] = collected.spans();

    expect([attributes?.['error.type'], attributes?.['rpc.response.status_code']]).toEqual([type, code]);
    expect(status?.code).toBe(SpanStatusCode.ERROR);
  });

  it('of a cancelled call ends with the reason', async () => {
    const client = connectDirect(served());
    const answer = client.request('tools/call', { name: 'hang' }, 5);
    client.notify('notifications/cancelled', { requestId: 5 });
    await answer;

    expect(collected.spans()[0]?.attributes['error.type']).toBe('cancelled');
  });

  it('has arguments and results only if enabled', async () => {
    await connectDirect(served({ contents: true })).request('tools/call', { name: 'add', arguments: { a: 1 } });
    const { attributes } = collected.span('tools/call add');

    expect(attributes['gen_ai.tool.call.arguments']).toBe('{"a":1}');
    expect(attributes['gen_ai.tool.call.result']).toContain('"text":"sum"');
  });

  it('has a bounded set of names', async () => {
    const client = connectDirect(served());
    for (const made of ['x', 'y']) {
      await client.request(`made/${made}`);
      await client.request('tools/call', { name: made });
    }

    expect(collected.spans().map(({ name }) => name)).toEqual(['_OTHER', 'tools/call', '_OTHER', 'tools/call']);
    expect(collected.spans()[1]?.attributes['gen_ai.tool.name']).toBe('x');
  });

  it('has attributes of bounded length', async () => {
    await connectDirect(served()).request('tools/call', { name: 'n'.repeat(100_000) }, 'i'.repeat(100_000));
    const lengths = Object.values(collected.spans()[0]?.attributes ?? {}).map((value) => String(value).length);

    expect(Math.max(...lengths)).toBeLessThan(1100);
  });
});

describe('the session in a span', () => {
  it.each([
    ['digest', expect.stringMatching(/^[\da-f]{24}$/)],
    ['plain', origin.session],
    ['none', undefined],
  ] as const)('is named by %s', async (sessionId, shown) => {
    await connectDirect(served({ sessionId }), { origin }).request('tools/list');

    expect(collected.span('tools/list').attributes['mcp.session.id']).toEqual(shown);
  });

  it('rejects other options', () => {
    expect(() => telemetry({ sessionId: 'half' as 'none' })).toThrow('"sessionId" must be digest, plain or none: half');
  });
});

describe('the trace that a caller names in _meta', () => {
  const asking = { name: 'late', _meta: { traceparent, tracestate: 'rojo=1', baggage: 'tenant=acme' } };

  it.each(['2025-11-25', '2026-07-28'])('is continued in %s, with its baggage', async (version) => {
    const answer = await connectDirect(served(), { version }).request('tools/call', asking);
    const { parentSpanContext } = collected.span('tools/call late');

    expect(parentSpanContext).toMatchObject({ traceId, spanId: '00f067aa0ba902b7', isRemote: true });
    expect(answer?.result.content[0].text).toBe('acme');
  });

  it('has a link to the span that was active here, such as that of an HTTP request', async () => {
    const http = trace.getTracer('http').startSpan('POST');
    await context.with(trace.setSpan(context.active(), http), () =>
      connectDirect(served()).request('tools/call', asking),
    );
    http.end();

    expect(collected.span('tools/call late').spanContext().traceId).toBe(traceId);
    expect(collected.span('tools/call late').links).toMatchObject([{ context: { spanId: http.spanContext().spanId } }]);
  });

  it('is not needed: then the span that is active here is the parent', async () => {
    const http = trace.getTracer('http').startSpan('POST');
    await context.with(trace.setSpan(context.active(), http), () => connectDirect(served()).request('tools/list'));

    expect(collected.span('tools/list').parentSpanContext?.spanId).toBe(http.spanContext().spanId);
    expect(collected.span('tools/list').links).toEqual([]);
  });

  it('is only linked or ignored if callers are not trusted', async () => {
    await connectDirect(served({ callerTrace: 'link' })).request('tools/call', asking);
    await connectDirect(served({ callerTrace: 'ignore' })).request('tools/call', asking);
    const [linked, ignored] = collected.spans().filter(({ name }) => name === 'tools/call late');

    expect([linked?.parentSpanContext, ignored?.parentSpanContext]).toEqual([undefined, undefined]);
    expect(linked?.links).toMatchObject([{ context: { traceId } }]);
    expect(ignored?.links).toEqual([]);
  });

  it.each([['nonsense'], [7], [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`], ['x'.repeat(100_000)]])(
    'is ignored if it is invalid: %#',
    async (given) => {
      const answer = await connectDirect(served()).request('tools/list', {
        _meta: { traceparent: given, baggage: {} },
      });

      expect(answer).toHaveProperty('result');
      expect(collected.span('tools/list').parentSpanContext).toBeUndefined();
    },
  );
});

describe('the histogram of a server', () => {
  it('measures requests in seconds, with the bounds of the conventions', async () => {
    const client = connectDirect(served(), { origin });
    await client.request('tools/call', { name: 'add' });
    await client.request('tools/call', { name: 'add' });
    await client.request('tools/call', { name: 'fail' });
    const { descriptor, dataPoints } = await collected.histogram('mcp.server.operation.duration');

    expect(descriptor.unit).toBe('s');
    expect(dataPoints.map(({ attributes, value }) => [attributes, value.count])).toEqual([
      [
        {
          'mcp.method.name': 'tools/call',
          'gen_ai.tool.name': 'add',
          'gen_ai.operation.name': 'execute_tool',
          'mcp.protocol.version': '2026-07-28',
          'network.transport': 'tcp',
          'network.protocol.name': 'http',
        },
        2,
      ],
      [expect.objectContaining({ 'gen_ai.tool.name': 'fail', 'error.type': 'tool_error' }), 1],
    ]);
    expect(dataPoints[0]?.value.buckets.boundaries).toEqual([
      0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
    ]);
  });

  it('has no labels chosen by clients (OB-05)', async () => {
    const client = connectDirect(served());
    for (let made = 0; made < 20; made += 1) {
      await client.request(`made/${made}`);
      await client.request('tools/call', { name: `made-${made}` });
      await client.request('prompts/get', { name: `made-${made}` });
    }
    const { dataPoints } = await collected.histogram('mcp.server.operation.duration');

    expect(dataPoints).toHaveLength(3);
  });
});
