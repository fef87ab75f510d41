import { describe, expect, it } from 'vitest';
import { apiKey } from './auth/server/api-key.ts';
import { connect } from './client/connect.ts';
import { createServer } from './create-server.ts';
import { memoryStore } from './stores/memory.ts';
import { httpTransport } from './transports/http/client/transport.ts';
import { httpHandler } from './transports/http/server/handler.ts';
import { serveHttp } from './transports/http/server/serve.ts';
import { serveStdio } from './transports/stdio/server/serve.ts';

const server = createServer({ name: 's', version: '1' });

/** Who takes limits, and one or more that each takes. */
const takers: [string, (options: object) => unknown, string[]][] = [
  ['createServer', (given) => createServer({ name: 's', version: '1', ...given }), ['maxRunning', 'pageSize']],
  ['createServer', (given) => createServer({ name: 's', version: '1', ...given }), ['stateLifetimeMs']],
  ['httpHandler', (given) => httpHandler(server, given), ['maxBody', 'maxStreams', 'maxRunning', 'keepAliveMs']],
  ['httpHandler', (given) => httpHandler(server, given), ['maxIncoming', 'maxUnsent', 'stalledMs', 'callerShare']],
  ['serveHttp', (given) => serveHttp(server, given), ['maxBody', 'callerShare']],
  ['serveStdio', (given) => serveStdio(server, given), ['maxMessage', 'grace']],
  ['memoryStore', memoryStore, ['maxLogLength', 'maxRecordLength', 'maxMemberLength']],
  ['apiKey', (given) => apiKey({ keys: ['k'], ...given }), ['maxGuesses']],
  ['connect', (given) => connect(httpTransport('http://127.0.0.1:1'), given), ['timeoutMs', 'maxTimeoutMs']],
];

/** Why options are rejected. */
async function rejection(take: (options: object) => unknown, options: object): Promise<string> {
  try {
    await take(options);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a limit that makes no sense', () => {
  it.each(takers)('is rejected by %s, by its name', async (_, take, names) => {
    for (const name of names) {
      for (const value of [-1, Number.NaN, '5', null, {}]) {
        expect(await rejection(take, { [name]: value })).toMatch(new RegExp(`^${name} must be a number above 0`));
      }
    }
  });

  it('is rejected inside of other options too, and above all of something', async () => {
    const handler = (options: object): unknown => httpHandler(server, options);
    expect(await rejection(handler, { sessions: { max: 0 } })).toBe('sessions.max must be a number above 0, and is 0');
    expect(await rejection(handler, { sessions: { idleMs: 'x' } })).toBe(
      'sessions.idleMs must be a number above 0, and is of the type string',
    );
    expect(await rejection((given) => serveHttp(server, given), { timeouts: { headersMs: Number.NaN } })).toMatch(
      /^timeouts.headersMs must be/,
    );
    expect(await rejection(handler, { callerShare: 101 })).toBe(
      'callerShare must be a number above 0, and at most 100, and is 101',
    );
  });

  it.each([
    { calls: 0 },
    { calls: Number.NaN },
    { calls: Number.POSITIVE_INFINITY },
    { calls: '5' },
    { calls: 5, perMs: -1 },
    { calls: 5, burst: 0.5 },
    { calls: 5, burst: null },
  ])('is rejected as a rate: %o', async (rateLimit) => {
    expect(await rejection((given) => httpHandler(server, given), { rateLimit })).toMatch(/^A rateLimit needs "calls"/);
    expect(await rejection((given) => serveStdio(server, given), { rateLimit })).toMatch(/^A rateLimit needs "calls"/);
  });
});
