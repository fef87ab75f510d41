import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tool } from '../../../server/define/define.ts';
import {
  handshake,
  post,
  sessionClient,
  statelessClient,
  textOf,
} from '../../../transports/http/server/fixtures/client.ts';
import { readEvents } from '../../../transports/http/server/fixtures/events.ts';
import { start } from '../../../transports/http/server/fixtures/start.ts';
import { oauth } from './oauth.ts';
import { nowInSeconds, startIssuer, type TokenFault } from './fixtures/issuer.ts';
import { bearer, metadataUrl, type ProtectedServer, resource, startProtected } from './fixtures/protected.ts';
import type { OAuthOptions } from './options.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const whoami = tool('who', {}, (_, { auth }) => JSON.stringify(auth ?? null));

async function startTelling(options: Partial<OAuthOptions> = {}): Promise<ProtectedServer> {
  const issuer = await startIssuer();
  const started = await start({ resource, auth: oauth({ issuer: issuer.issuer, ...options }) }, { tools: [whoami] });
  return { ...started, issuer, token: (fault) => issuer.token(resource, fault) };
}

async function callerOf({ url, token }: ProtectedServer, fault?: TokenFault): Promise<Record<string, unknown>> {
  const client = statelessClient(url, { headers: bearer(await token(fault)) });
  return JSON.parse(textOf(await client.call('who')) ?? '') as Record<string, unknown>;
}

describe('a handler', () => {
  it('gets principal, client, claims and expiry, but not the token (AR-04, AR-90)', async () => {
    const telling = await startTelling();
    const exp = nowInSeconds() + 300;
    const claims = { exp, iat: exp - 300, email: 'anna@example.com', scope: 'read  write' };
    const { issuer } = telling.issuer;
    expect(await callerOf(telling, { claims })).toEqual({
      principal: `${issuer}#sub=anna`,
      id: `${issuer}#sub=anna`,
      issuer,
      subject: 'anna',
      clientId: 'app',
      scopes: ['read', 'write'],
      claims: { iss: issuer, sub: 'anna', aud: resource, client_id: 'app', ...claims },
      expiresAt: exp * 1000,
    });
  });

  it('gets the token if configured (AR-04)', async () => {
    const telling = await startTelling({ exposeToken: true });
    expect(await callerOf(telling)).toMatchObject({ token: expect.stringMatching(/^ey.*\..*\./) });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['in a text', { scope: 'a b' }, ['a', 'b']],
    ['in a list', { scope: undefined, scp: ['a', 'b'] }, ['a', 'b']],
    ['in a text of another name', { scope: undefined, scp: 'a b' }, ['a', 'b']],
    ['nowhere: there are none (AR-36)', { scope: undefined }, []],
    ['in something else', { scope: { a: true } }, []],
  ])('finds the scopes %s (AR-36)', async (_, claims, scopes) => {
    expect(await callerOf(await startTelling(), { claims })).toMatchObject({ scopes });
  });

  it('gets implied scopes, transitively (AR-15, S-A-07)', async () => {
    const telling = await startTelling({ implies: { admin: ['write'], write: ['read', 'admin'] }, scopes: ['read'] });
    expect(await callerOf(telling, { claims: { scope: 'admin' } })).toMatchObject({
      scopes: ['admin', 'write', 'read'],
    });
  });

  it('gets the result of a mapping function, which may reject (AR-36)', async () => {
    const principal = async ({ sub, permissions }: Readonly<Record<string, unknown>>) =>
      sub === 'eve' ? undefined : { id: `user:${String(sub)}`, scopes: permissions as string[] };
    const telling = await startTelling({ principal });
    expect(await callerOf(telling, { claims: { permissions: ['a'] } })).toMatchObject({
      id: 'user:anna',
      principal: `${telling.issuer.issuer}#sub=anna`,
      scopes: ['a'],
    });
    const rejected = await post(telling.url, ping, bearer(await telling.token({ claims: { sub: 'eve' } })));
    expect([rejected.status, rejected.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(rejected.headers.get('cache-control')).toBe('no-store');
  });

  it('is not called if the mapping function fails: 401, not 500 (AR-10)', async () => {
    const principal = (): never => {
      throw new Error('a secret of the server');
    };
    const { url, token, log } = await startTelling({ principal });
    expect((await post(url, ping, bearer(await token()))).status).toBe(401);
    expect(JSON.stringify(log)).toContain('checking it failed');
  });
});

describe('a token', () => {
  it('without the needed scopes gets a 403 that names them (AU-20, S-A-06)', async () => {
    const { url, token } = await startProtected({ scopes: ['read', 'list'] });
    const response = await post(url, ping, bearer(await token()));
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", error_description="The access token does not allow this", ' +
        `resource_metadata="${metadataUrl}", scope="read list"`,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is optional where anonymous calls are allowed, but must be valid if sent (AR-84)', async () => {
    const { url, token } = await startProtected({ anonymous: true });
    const status = async (headers: Record<string, string>): Promise<number> => (await post(url, ping, headers)).status;
    expect([await status({}), await status(bearer(await token())), await status(bearer('bad'))]).toEqual([
      200, 200, 401,
    ]);
    expect(await status({ Authorization: 'Bearer' })).toBe(400);
  });

  it('never appears in the log, and its error is not disclosed to its sender (AR-04, AR-12, AR-35, AU-23)', async () => {
    const { url, token, log } = await startProtected();
    const bad = [
      await token({ claims: { aud: 'https://other.example/mcp' } }),
      await token({ claims: { exp: 1 } }),
      await token({ header: { kid: 'unknown' } }),
      'opaque-secret-token',
    ];
    const bodies = new Set<string>();
    for (const each of [...bad, ...bad]) {
      const body = await (await post(url, ping, bearer(each))).text();
      bodies.add(body.replace(/"request_id":"[0-9a-f]{8}"/, ''));
    }
    expect(bodies.size).toBe(1);
    const good = await token();
    await (await post(url, '{', bearer(good))).text();
    const written = JSON.stringify(log);
    for (const each of [...bad, good]) expect(written).not.toContain(each);
    const audience = log.filter(({ data }) => String(data).includes('"aud"'));
    expect(audience.map(({ data }) => String(data).replace(/ \(request [0-9a-f]{8}\)/, ''))).toEqual([
      `An access token was rejected: it is for https://other.example/mcp ("aud"), and must be for ${resource}. ` +
        'Where that is right, name it in the option "audience" of oauth (--audience).',
    ]);
  });
});

describe('a session', () => {
  it('continues with a newer token of the same caller, and is not found by others (AR-90, AU-25, S-A-12)', async () => {
    const { url, token } = await startProtected({}, { sse: true });
    const session = await handshake(url, { headers: bearer(await token()) });
    const newer = bearer(await token({ claims: { jti: '2', scope: 'read write', client_id: 'other' } }));
    expect((await session.send('ping', {}, { headers: newer })).status).toBe(200);
    const bob = sessionClient(url, session.id, { headers: bearer(await token({ claims: { sub: 'bob' } })) });
    const statuses = [
      await bob.send('ping'),
      await bob.get(),
      await bob.end(),
      await bob.notify('notifications/initialized'),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await session.send('ping', {}, { headers: newer })).status).toBe(200);
  });

  it('of one issuer is not found by the same subject of another issuer (AR-90)', async () => {
    const [one, two] = [await startIssuer(), await startIssuer()];
    const { url } = await startProtected({ issuer: [one.issuer, two.issuer] }, {}, one);
    const session = await handshake(url, { headers: bearer(await one.token(resource)) });
    const namesake = bearer(await two.token(resource));
    expect((await session.send('ping', {}, { headers: namesake })).status).toBe(404);
  });

  it('of a client without a user is bound to that client (AR-90)', async () => {
    const { url, token } = await startProtected();
    const claims = { sub: undefined, client_id: 'job' };
    const session = await handshake(url, { headers: bearer(await token({ claims })) });
    expect((await session.send('ping')).status).toBe(200);
    for (const other of [{ sub: undefined, client_id: 'job2' }, { sub: 'job' }, { sub: 'client=job' }]) {
      const headers = bearer(await token({ claims: { ...claims, ...other } }));
      expect((await session.send('ping', {}, { headers })).status).toBe(404);
    }
  });
});

describe('a suspended call', () => {
  it('is resumed with a newer token of the same caller only (AR-90)', async () => {
    const { url, token } = await startProtected();
    const options = { capabilities: { elicitation: { form: {} } } };
    const first = statelessClient(url, { ...options, headers: bearer(await token()) });
    const { result } = await first.call('ask');
    const { requestState, inputRequests } = result as { requestState: string; inputRequests: Record<string, unknown> };
    const [question = ''] = Object.keys(inputRequests);
    const inputResponses = { [question]: { action: 'accept', content: { name: 'Anna' } } };
    const params = { name: 'ask', arguments: {}, requestState, inputResponses };
    const bob = statelessClient(url, { ...options, headers: bearer(await token({ claims: { sub: 'bob' } })) });
    expect((await bob.request('tools/call', params)).error?.message).toMatch(/another request/);
    const newer = statelessClient(url, { ...options, headers: bearer(await token({ claims: { jti: '2' } })) });
    expect(textOf(await newer.request('tools/call', params))).toBe('Hello, Anna');
  });
});

describe('a stream', () => {
  /** Timers and the time of day pass only when they are asked to. */
  function stopClock(): void {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  }

  it('of 2026-07-28 ends with its result when the token expires (AR-91)', async () => {
    const { url, token } = await startProtected({ leewayMs: 10_000 });
    const headers = bearer(await token({ claims: { exp: nowInSeconds() + 60 } }));
    stopClock();
    const listening = await statelessClient(url, { headers }).send('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const events = readEvents(listening);
    expect((await events.message())?.method).toBe('notifications/subscriptions/acknowledged');
    await vi.advanceTimersByTimeAsync(80_000);
    const rest = await events.rest();
    expect(rest).toEqual([expect.objectContaining({ result: expect.objectContaining({ resultType: 'complete' }) })]);
  });

  it('of a session is closed then, and resumed with a newer token (AR-91)', async () => {
    const { url, token, server } = await startProtected({ leewayMs: 0 });
    const session = await handshake(url, { headers: bearer(await token({ claims: { exp: nowInSeconds() + 60 } })) });
    stopClock();
    const events = await session.listen();
    const first = await events.next();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await events.rest()).toEqual([]);
    expect((await session.get()).status).toBe(401);
    const newer = bearer(await token({ claims: { exp: nowInSeconds() + 60, jti: '2' } }));
    const again = await session.listen({ ...newer, ...(first?.id !== undefined && { 'Last-Event-ID': first.id }) });
    server.tools.add(tool('another', {}, () => 'x'));
    expect((await again.message())?.method).toBe('notifications/tools/list_changed');
    await again.cancel();
  });

  it('of a running call continues to its end (AR-91)', async () => {
    const { url, token, gates } = await startProtected({ leewayMs: 0 });
    const headers = bearer(await token({ claims: { exp: nowInSeconds() + 60 } }));
    stopClock();
    const params = { name: 'steps', arguments: { gate: 'g' } };
    const response = await statelessClient(url, { headers }).send('tools/call', params, { meta: { progressToken: 1 } });
    const events = readEvents(response);
    expect((await events.message())?.method).toBe('notifications/progress');
    await vi.advanceTimersByTimeAsync(61_000);
    gates.open('g');
    expect(textOf((await events.rest()).at(-1) ?? {})).toBe('stepped');
  });

  it('of HTTP+SSE is closed, too (AR-91)', async () => {
    const { url, token } = await startProtected({ leewayMs: 0 }, { sse: true });
    const headers = bearer(await token({ claims: { exp: nowInSeconds() + 60 } }));
    stopClock();
    const events = readEvents(
      await fetch(new URL('/sse', url), { headers: { Accept: 'text/event-stream', ...headers } }),
    );
    expect((await events.next())?.event).toBe('endpoint');
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await events.rest()).toEqual([]);
  });
});

describe('a host', () => {
  it.each([
    ['http', 'openai-mcp/1.0', 'http'],
    ['result', undefined, 'result'],
    ['auto', undefined, 'http'],
    ['auto', 'openai-mcp/1.0.0 (ChatGPT)', 'result'],
    ['auto', 'claude-code/2.0', 'http'],
  ] as const)(
    'gets an error that says what it lacks as %s says, with the user agent %s: by %s (AR-83)',
    async (challenge, agent, form) => {
      const endpoint = { resource, path: '/mcp', store: { claim: () => true }, log: () => {} };
      const issuer = await startIssuer();
      const auth = oauth({ issuer: issuer.issuer, challenge }).at?.(endpoint);
      const request = { method: 'POST', path: '/mcp', address: undefined, header: () => agent };
      expect(auth?.form?.(request)).toBe(form);
    },
  );

  it('gets the scopes of the endpoint and of the operation (AR-15)', async () => {
    const endpoint = { resource, path: '/mcp', store: { claim: () => true }, log: () => {} };
    const issuer = await startIssuer();
    const auth = oauth({ issuer: issuer.issuer, scopes: ['read'] }).at?.(endpoint);
    const request = { method: 'POST', path: '/mcp', address: undefined, header: () => undefined };
    const needed = ['notes:write', 'notes:"x"\n'];
    const asked = auth?.challenge?.(request, { needed, caller: { principal: 'a', scopes: [] } });
    expect(asked?.status).toBe(403);
    expect([asked?.headers?.['WWW-Authenticate']].flat()[0]).toContain('scope="read notes:write notes:\\"x\\""');
    const nobody = auth?.challenge?.(request, { needed: ['notes:write'], caller: undefined });
    expect(nobody?.status).toBe(401);
    expect([nobody?.headers?.['WWW-Authenticate']].flat()[0]).toContain('scope="read notes:write"');
  });
});
