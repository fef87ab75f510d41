import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Request } from '../../jsonrpc/message.ts';
import { connect } from '../connect.ts';
import { ConnectionError, HttpError, TimeoutError } from '../errors.ts';
import { type Script, scripted, silent } from '../fixtures/scripted.ts';
import type { ConnectOptions } from '../connect-options.ts';
import type { Receiver, Transport } from '../transport.ts';
import { EraCache } from './negotiate.ts';

const modern = '2026-07-28';
const error = (code: number, data?: object): object => ({ error: { code, message: `Error ${code}`, data } });

/** A server with a given response to `server/discover`. */
const discovering =
  (answer: object | undefined, more: Script = () => undefined): Script =>
  (request) =>
    request.method === 'server/discover' ? answer : more(request);

interface Outcome {
  era?: string;
  failure?: Error;
  methods: string[];
  versions: unknown[];
}

async function attempt(
  script: Script,
  options: ConnectOptions = {},
  more: Partial<Transport> & { started?: () => void } = {},
): Promise<Outcome> {
  const seen: Request[] = [];
  const watching: Script = (request) => {
    seen.push(request);
    return script(request) ?? (request.method === 'server/discover' ? new Error('Not answered') : undefined);
  };
  const reached = await scripted(watching, options, more).catch((failure: Error) => ({ failure }));
  return {
    ...('failure' in reached ? reached : { era: reached.client.era }),
    methods: seen.map(({ method }) => method),
    versions: seen.map(({ params = {} }) => {
      const meta = (params._meta ?? {}) as Record<string, unknown>;
      return params.protocolVersion ?? meta['io.modelcontextprotocol/protocolVersion'];
    }),
  };
}

const http = { streamPerRequest: true };

describe('the response to the probe', () => {
  it('with a common version ends the negotiation', async () => {
    const found = await attempt(discovering({ supportedVersions: ['1999-01-01', modern] }));
    expect(found).toMatchObject({ era: 'stateless', methods: ['server/discover'], versions: [modern] });
  });

  it.each([
    ['that it is not known', error(-32601)],
    ['that it is rejected', error(-32600)],
    ['that names no versions', {}],
    ['that names only versions of the older era', { supportedVersions: ['2025-06-18'] }],
    ['that is a bare 404', new HttpError(404, 'Not found')],
    ['that is a bare 400', new HttpError(400, 'Bad request')],
    ['that is a server error', new HttpError(500, 'Out of order')],
    ['that is not implemented', new HttpError(501, 'No')],
    ['that offers an older version only', error(-32022, { supported: ['2025-11-25'] })],
  ])('%s means an older server (C-V-07)', async (_, answer) => {
    for (const more of [{}, http]) {
      const found = await attempt(discovering(answer), {}, more);
      expect(found).toMatchObject({ era: 'handshake', methods: ['server/discover', 'initialize'] });
    }
  });

  it.each<readonly [string, object]>([
    ['mismatched headers', error(-32020)],
    ['a missing capability', error(-32021)],
    ['an unsupported version, without a supported one', error(-32022)],
    ['an unsupported version, without a common one', error(-32022, { supported: ['1999-01-01'] })],
    ['a result without a common version', { supportedVersions: ['1999-01-01'] }],
    ...[401, 403, 407, 408, 429, 502, 503, 504].map(
      (status) => [`status ${status}`, new HttpError(status, 'No')] as const,
    ),
  ])('fails the connection, without a fallback to the handshake: %s', async (_, answer) => {
    const found = await attempt(discovering(answer), {}, http);
    expect(found.failure).toBeDefined();
    expect(found.methods).toEqual(['server/discover']);
  });

  it.each<[string, object, object]>([
    ['the first, where both fail', new HttpError(500, 'Out of paper'), { message: 'Out of order', status: 500 }],
    ['the first, where the other is not known', error(-32601), { message: 'Out of order', status: 500 }],
    [
      'what is wanted, where something is',
      new HttpError(401, 'Who are you?'),
      { message: 'Who are you?', status: 401 },
    ],
  ])('that is a server error is reported as %s', async (_, answer, expected) => {
    const endpoint = 'http://broken.example/mcp';
    const broken = discovering(new HttpError(500, 'Out of order'), () => answer);
    const found = await attempt(broken, {}, { ...http, endpoint });
    expect(found).toMatchObject({ failure: expected, methods: ['server/discover', 'initialize'] });
  });

  it('that is a server error is not cached', async () => {
    const endpoint = 'http://passing.example/mcp';
    const failing = discovering(new HttpError(500, 'Out of order'));
    expect((await attempt(failing, {}, { ...http, endpoint })).era).toBe('handshake');
    const mended = discovering({ supportedVersions: [modern] });
    expect(await attempt(mended, {}, { ...http, endpoint })).toMatchObject({ era: 'stateless' });
  });

  it.each([undefined, {}, { supported: modern }])(
    'that rejects the version without a list of others is thrown: %j',
    async (data) => {
      const { failure } = await attempt(discovering(error(-32022, data)));
      expect(failure).toMatchObject({ name: 'ProtocolError', code: -32022 });
    },
  );

  it('without a common version is an error that names those of the server, truncated', async () => {
    const supportedVersions = Array.from({ length: 20 }, (_, i) => `${i}-${'x'.repeat(100)}`);
    const { failure } = await attempt(discovering({ supportedVersions }));
    const shown = Array.from({ length: 10 }, (_, i) => `${i}-${'x'.repeat(38)}`);
    expect(failure?.message).toBe(`The server supports none of our protocol versions, only ${shown.join(', ')}`);
    expect(failure?.name).toBe('ResultError');
  });

  it('that offers another version of the same era is retried once (C-V-06)', async () => {
    let rejections = 0;
    const found = await attempt(({ method }) => {
      if (method !== 'server/discover') return undefined;
      rejections += 1;
      return rejections === 1 ? error(-32022, { supported: [modern] }) : { supportedVersions: [modern] };
    });
    expect(found).toMatchObject({ era: 'stateless', methods: ['server/discover', 'server/discover'] });
    const never = await attempt(discovering(error(-32022, { supported: [modern] })));
    expect(never.methods).toEqual(['server/discover', 'server/discover']);
    expect(never.failure?.message).toContain('The server supports none of our protocol versions, only 2026-07-28');
  });

  it('that never arrives is not treated as an old server over HTTP', async () => {
    const found = await attempt(
      () => undefined,
      {},
      { ...http, send: async () => Promise.reject(new TimeoutError('late')) },
    );
    expect(found.failure?.message).toBe('late');
  });

  it('that is an exit of the process restarts it for the handshake', async () => {
    const ended = new ConnectionError('ended');
    let starts = 0;
    const started = (): void => void (starts += 1);
    const again = await attempt(discovering(ended), {}, { started });
    expect(again).toMatchObject({ era: 'handshake', methods: ['server/discover', 'initialize'] });
    expect(starts).toBe(2);
    const overHttp = await attempt(discovering(ended), {}, { ...http, started });
    expect(overHttp).toMatchObject({ failure: ended, methods: ['server/discover'] });
    expect(starts).toBe(3);
  });

  it('may be followed by an exit at the handshake, which restarts the process', async () => {
    let starts = 0;
    const script = discovering(error(-32601), ({ method }) =>
      method === 'initialize' && starts === 1 ? new ConnectionError('ended') : undefined,
    );
    const more = { started: () => void (starts += 1) };
    const found = await attempt(script, {}, more);
    expect(found).toMatchObject({ era: 'handshake', methods: ['server/discover', 'initialize', 'initialize'] });
    starts = 0;
    expect((await attempt(script, {}, { ...http, ...more })).failure?.message).toBe('ended');
  });
});

describe('a silent server on a pipe', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([
    [300, { probeMs: 300 }],
    [5000, {}],
  ])('gets a handshake after %i ms', async (probeMs, options) => {
    const methods: string[] = [];
    const reaching = scripted(({ method }) => {
      methods.push(method);
      return method === 'server/discover' ? silent : undefined;
    }, options);
    await vi.advanceTimersByTimeAsync(probeMs - 1);
    expect(methods).toEqual(['server/discover']);
    await vi.advanceTimersByTimeAsync(1);
    expect((await reaching).client.era).toBe('handshake');
  });

  it('gets a handshake also if the request timeout is shorter', async () => {
    const found = scripted(discovering(silent), { timeoutMs: 100 });
    await vi.advanceTimersByTimeAsync(50);
    expect((await found).client.era).toBe('handshake');
  });

  it.each([100, 3000, 8000])('times out after the timeout of one request, %i ms', async (timeoutMs) => {
    const closed: (number | undefined)[] = [];
    const more = { close: async (graceMs?: number) => void closed.push(graceMs) };
    let failure: Error | undefined;
    scripted(() => silent, { timeoutMs }, more).catch((error: Error) => {
      failure = error;
    });
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(failure?.message).toBe(`No answer to "initialize" within ${timeoutMs} ms`);
    expect(closed).toEqual([100]);
  });

  it('that responds late and has no handshake is used after all', async () => {
    let receiver: Receiver | undefined;
    const found = connect(
      {
        streamPerRequest: false,
        start: async (by) => {
          receiver = by;
        },
        async send(message) {
          if (!('method' in message) || message.method !== 'initialize') return;
          const result = { supportedVersions: [modern] };
          receiver?.receive({ jsonrpc: '2.0', id: 1, result });
          const unknown = { code: -32601, message: 'Unknown' };
          setTimeout(() => receiver?.receive({ jsonrpc: '2.0', id: 2, error: unknown }), 5);
        },
        close: async () => {},
      },
      { probeMs: 10 },
    );
    await vi.advanceTimersByTimeAsync(15);
    expect((await found).era).toBe('stateless');
  });

  it('that rejects the handshake too fails the connection', async () => {
    const found = scripted(
      discovering(silent, () => error(-32601)),
      { probeMs: 10 },
    ).catch((failure: Error) => failure);
    await vi.advanceTimersByTimeAsync(10);
    expect(await found).toMatchObject({ code: -32601 });
  });

  it('over HTTP is awaited until the timeout', async () => {
    const found = scripted(discovering(silent), { probeMs: 10, timeoutMs: 1000 }, http).catch(
      (failure: Error) => failure,
    );
    await vi.advanceTimersByTimeAsync(1000);
    expect(await found).toMatchObject({
      name: 'TimeoutError',
      message: 'No answer to "server/discover" within 1000 ms',
    });
  });
});

describe('the options of the negotiation', () => {
  it('may pin a version of either era', async () => {
    const old = await attempt(
      ({ method }) => (method === 'initialize' ? { protocolVersion: '2025-03-26' } : undefined),
      {
        version: '2025-03-26',
      },
    );
    expect(old).toMatchObject({ era: 'handshake', methods: ['initialize'], versions: ['2025-03-26'] });
    const newer = await attempt(discovering({ supportedVersions: [modern] }), { version: modern });
    expect(newer).toMatchObject({ era: 'stateless', methods: ['server/discover'], versions: [modern] });
  });

  it('reject another version than the pinned one', async () => {
    const old = await attempt(
      ({ method }) => (method === 'initialize' ? { protocolVersion: '2025-03-26' } : undefined),
      {
        version: '2025-06-18',
      },
    );
    expect(old.failure?.message).toBe('The server supports none of our protocol versions, only 2025-03-26');
    const newer = await attempt(discovering({ supportedVersions: ['2025-06-18'] }), { version: modern });
    expect(newer).toMatchObject({ methods: ['server/discover'] });
    expect(newer.failure?.message).toContain('none of our protocol versions');
  });

  it.each([undefined, 7, '1999-01-01', modern])(
    'is answered by the handshake with a version of its era, not %s',
    async (protocolVersion) => {
      const found = await attempt(({ method }) => (method === 'initialize' ? { protocolVersion } : undefined), {
        era: 'handshake',
      });
      expect(found.failure?.message).toContain('The server supports none of our protocol versions');
      expect(found.methods).toEqual(['initialize']);
    },
  );

  it('reject an unknown version', async () => {
    const { failure, methods } = await attempt(() => undefined, { version: '1999-01-01' });
    expect(failure).toBeInstanceOf(TypeError);
    expect(failure?.message).toMatch(/^Unknown protocol version: use one of 2024-11-05, .*2026-07-28$/);
    expect(methods).toEqual([]);
  });

  it('reject a version that the transport does not support', async () => {
    const { failure, methods } = await attempt(() => undefined, { era: 'stateless' }, { only: 'handshake' });
    expect(failure).toMatchObject({ name: 'TypeError', message: 'This transport does not support that version' });
    expect(methods).toEqual([]);
    const found = await attempt(() => undefined, {}, { only: 'handshake' });
    expect(found).toMatchObject({ era: 'handshake', methods: ['initialize'] });
  });

  it('may pin an era', async () => {
    const found = await attempt(discovering(error(-32601)), { era: 'stateless' });
    expect(found.failure).toMatchObject({ code: -32601 });
    expect(found.methods).toEqual(['server/discover']);
  });
});

describe('the handshake', () => {
  it('sends notifications/initialized, then opens the server stream', async () => {
    const order: unknown[] = [];
    let receiver: Receiver | undefined;
    const client = await connect(
      {
        streamPerRequest: false,
        start: async (by) => {
          receiver = by;
        },
        openStream: async () => void order.push('stream'),
        close: async () => {},
        async send(message) {
          order.push('method' in message && message.method);
          if (!('id' in message)) return;
          receiver?.receive({ jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } });
        },
      },
      { era: 'handshake' },
    );
    await client.close();
    expect(order).toEqual(['initialize', 'notifications/initialized', 'stream']);
  });
});

describe('the era cache of negotiations', () => {
  it('skips the probe next time, until the handshake fails', async () => {
    const endpoint = 'http://remembered.example/mcp';
    const old = discovering(error(-32601));
    expect((await attempt(old, {}, { ...http, endpoint })).methods).toEqual(['server/discover', 'initialize']);
    expect((await attempt(old, {}, { ...http, endpoint })).methods).toEqual(['initialize']);
    const renewed = discovering({ supportedVersions: [modern] }, ({ method }) =>
      method === 'initialize' ? error(-32601) : undefined,
    );
    const found = await attempt(renewed, {}, { ...http, endpoint });
    expect(found).toMatchObject({ era: 'stateless', methods: ['initialize', 'server/discover'] });
    expect((await attempt(renewed, {}, { ...http, endpoint })).methods).toEqual(['server/discover']);
  });

  it('is cleared after any failure; unrelated failures are thrown', async () => {
    const endpoint = 'http://failing.example/mcp';
    const old = discovering(error(-32601));
    await attempt(old, {}, { ...http, endpoint });
    const failing: Script = ({ method }) => (method === 'initialize' ? new HttpError(503, 'Busy') : undefined);
    const found = await attempt(failing, {}, { ...http, endpoint });
    expect(found).toMatchObject({ failure: { status: 503 }, methods: ['initialize'] });
    expect((await attempt(old, {}, { ...http, endpoint })).methods).toEqual(['server/discover', 'initialize']);
  });

  it('is not used if an era is pinned', async () => {
    const endpoint = 'http://given.example/mcp';
    await attempt(discovering(error(-32601)), {}, { ...http, endpoint });
    const found = await attempt(
      discovering({ supportedVersions: [modern] }),
      { era: 'stateless' },
      { ...http, endpoint },
    );
    expect(found.methods).toEqual(['server/discover']);
  });

  it('is set only if the handshake succeeded', async () => {
    const endpoint = 'http://neither.example/mcp';
    const neither = discovering(error(-32601), () => error(-32601));
    await attempt(neither, {}, { ...http, endpoint });
    expect((await attempt(neither, {}, { ...http, endpoint })).methods).toEqual(['server/discover', 'initialize']);
  });
});

const hour = 60 * 60 * 1000;

describe('EraCache', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('keeps an endpoint for an hour', () => {
    const eras = new EraCache();
    expect(eras.isHandshake('a')).toBe(false);
    eras.setHandshake('a');
    expect(eras.isHandshake('b')).toBe(false);
    vi.advanceTimersByTime(hour - 1);
    expect(eras.isHandshake('a')).toBe(true);
    vi.advanceTimersByTime(1);
    expect(eras.isHandshake('a')).toBe(false);
  });

  it('ignores transports without an endpoint', () => {
    const eras = new EraCache();
    eras.setHandshake(undefined);
    expect(eras.isHandshake(undefined)).toBe(false);
    expect(eras.isHandshake('undefined')).toBe(false);
    eras.delete(undefined);
  });

  it('deletes an endpoint', () => {
    const eras = new EraCache();
    eras.setHandshake('a');
    eras.setHandshake('b');
    eras.delete('a');
    expect([eras.isHandshake('a'), eras.isHandshake('b')]).toEqual([false, true]);
  });

  it('evicts the oldest of a thousand endpoints', () => {
    const eras = new EraCache();
    for (let i = 0; i < 1000; i += 1) eras.setHandshake(String(i));
    expect(eras.isHandshake('0')).toBe(true);
    eras.setHandshake('0');
    expect(eras.isHandshake('1')).toBe(true);
    eras.setHandshake('new');
    expect(['0', '1', '2', 'new'].map((endpoint) => eras.isHandshake(endpoint))).toEqual([true, false, true, true]);
  });
});
