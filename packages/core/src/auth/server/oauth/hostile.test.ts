import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { createConnection } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { authorizationServer } from '../../../testing/authorization-server.ts';
import type {
  AuthorizationServerOptions,
  TestAuthorizationServer,
} from '../../../testing/authorization-server/options.ts';
import { proofKey } from '../../../testing/authorization-server/proof-key.ts';
import { tokenFaults, type TokenFault } from '../../../testing/authorization-server/token-faults.ts';
import { post, statelessClient } from '../../../transports/http/server/fixtures/client.ts';
import { type StartedServer, start } from '../../../transports/http/server/fixtures/start.ts';
import type { ServeHttpOptions } from '../../../transports/http/server/serve.ts';
import { bearer, resource, requestKinds } from './fixtures/protected.ts';
import { oauth } from './oauth.ts';
import type { OAuthOptions } from './options.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface Attacked extends StartedServer {
  readonly issuer: TestAuthorizationServer;
  good(): string;
}

async function startAttacked(
  options: Partial<OAuthOptions> = {},
  { http = {}, as = {} }: { http?: ServeHttpOptions; as?: AuthorizationServerOptions } = {},
): Promise<Attacked> {
  const issuer = await authorizationServer(as);
  onTestFinished(() => issuer.close());
  const started = await start({ resource, auth: oauth({ issuer: issuer.issuer, ...options }), sse: true, ...http });
  return { ...started, issuer, good: () => issuer.token({ audience: resource, scopes: ['notes:read'] }) };
}

/** Statuses of one header, by every way in. */
async function statusesOf(url: string, headers: Record<string, string>): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [way, knock] of Object.entries(requestKinds)) {
    const response = await knock(url, headers);
    found[way] = response.status;
    await response.body?.cancel();
  }
  return found;
}

function all(status: number): Record<string, number> {
  return Object.fromEntries(Object.keys(requestKinds).map((way) => [way, status]));
}

/** The response of a server to bytes that no client library would send. */
async function raw(url: string, head: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(head);
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (text.includes('\r\n\r\n')) break;
  }
  return text;
}

describe('an attacker of a server that requires tokens', () => {
  it('gets 401 for every fault on every endpoint, and does not affect other callers', async () => {
    const { url, issuer, good, log } = await startAttacked();
    const sent: string[] = [];
    for (const fault of Object.keys(tokenFaults) as TokenFault[]) {
      const token = issuer.token({ audience: resource, fault });
      sent.push(token);
      expect({ fault, ...(await statusesOf(url, bearer(token))) }).toEqual({ fault, ...all(401) });
    }
    expect((await post(url, ping, bearer(good()))).status).toBe(200);
    expect(issuer.asked('foreignKeys')).toBe(0);
    for (const token of sent) expect(JSON.stringify(log)).not.toContain(token);
  });

  it('sees only an id, under which the log has the reason (AR-12)', async () => {
    const { url, issuer, log } = await startAttacked();
    const answers: Record<string, unknown>[] = [];
    for (const subject of ['one', 'two']) {
      const token = issuer.token({ audience: resource, subject, fault: 'wrong-audience' });
      answers.push((await (await post(url, ping, bearer(token))).json()) as Record<string, unknown>);
    }
    const [first, second] = answers;
    const requestId: unknown = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect({ ...first, request_id: second?.request_id }).toEqual({ ...second, request_id: requestId });
    const lines = log.filter(({ level }) => level === 'warning').map(({ data }) => String(data));
    expect(lines).toEqual([
      expect.stringContaining(`(request ${String(first?.request_id)}): it is for https://other.example/mcp`),
    ]);
  });

  it('neither blocks others nor floods the issuer by unknown key ids', async () => {
    const { url, issuer, good } = await startAttacked();
    expect((await post(url, ping, bearer(good()))).status).toBe(200);
    const statuses = new Set<number>();
    for (let index = 0; index < 60; index++) {
      const token = issuer.token({ audience: resource, fault: 'unknown-key', header: { kid: `made-up-${index}` } });
      statuses.add((await post(url, ping, bearer(token))).status);
    }
    expect([...statuses]).toEqual([401]);
    expect(issuer.asked('jwks')).toBeLessThanOrEqual(2);
    expect((await post(url, ping, bearer(good()))).status).toBe(200);
  });

  it.each(['constructor', '__proto__', 'Basic', 'toString', 'hasOwnProperty'])(
    'is not let in with a good token under the scheme %s',
    async (scheme) => {
      const { url, good } = await startAttacked();
      const response = await post(url, ping, { Authorization: `${scheme} ${good()}` });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/);
    },
  );

  it.each<[string, unknown, unknown]>([
    ['of a kind that is a member of every object', { kty: 'constructor' }, 'dpop+jwt'],
    ['of a kind that is the prototype', { kty: '__proto__' }, 'dpop+jwt'],
    ['of a kind that is no text', { kty: { toString: 1, valueOf: 1 } }, 'dpop+jwt'],
    ['that is a list', [], 'dpop+jwt'],
    ['whose members are no texts', { kty: 'EC', crv: 'P-256', x: 1, y: {} }, 'dpop+jwt'],
    ['whose numbers are no point', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }, 'dpop+jwt'],
    ['whose uses are no texts', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', key_ops: [1], use: {} }, 'dpop+jwt'],
    ['in a proof whose type is no text', { kty: 'EC' }, { toString: 1, valueOf: 1 }],
    ['in a proof whose type is null', { kty: 'EC' }, null],
  ])('gets 401 for a proof with a key %s', async (_, jwk, typ) => {
    const { url, issuer } = await startAttacked({ dpop: 'accept' });
    const key = await proofKey();
    const token = issuer.token({ audience: resource, boundTo: key.thumbprint });
    const proof = key.proof({ method: 'POST', url: resource, token, header: { jwk, typ } });
    const response = await post(url, ping, { Authorization: `DPoP ${token}`, DPoP: proof });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
  });

  it('can not replay a proof that the store remembers', async () => {
    const { url, issuer } = await startAttacked({ dpop: { use: 'require', replay: 'store' } });
    const key = await proofKey();
    const token = issuer.token({ audience: resource, boundTo: key.thumbprint });
    const proof = key.proof({ method: 'POST', url: resource, token });
    const headers = { Authorization: `DPoP ${token}`, DPoP: proof };
    expect((await post(url, ping, headers)).status).toBe(200);
    expect((await post(url, ping, headers)).status).toBe(401);
  });

  it.each<[string, (keys: readonly object[]) => unknown]>([
    ['a key of a kind that is a member of every object', (keys) => ({ keys: [{ kty: 'constructor' }, ...keys] })],
    ['a key whose kind is no text', (keys) => ({ keys: [{ kty: { toString: 1 } }, ...keys] })],
    ['nulls, numbers and lists', (keys) => ({ keys: [null, 1, [], 'x', ...keys] })],
    ['a broken point', (keys) => ({ keys: [{ kty: 'EC', crv: 'P-256', x: '!', y: '!' }, ...keys] })],
  ])('does not profit from a key set with %s', async (_, keySet) => {
    const { url, good } = await startAttacked({}, { as: { keySet } });
    expect((await post(url, ping, bearer(good()))).status).toBe(200);
  });

  it.each<[string, unknown]>([
    ['is a list', []],
    ['has none', {}],
    ['is null', null],
    ['has a text in place of a list', { keys: 'x' }],
    ['has an object in place of a list', { keys: { 0: {} } }],
  ])('gets 503 while a key set %s', async (_, keySet) => {
    const { url, good } = await startAttacked({}, { as: { keySet: () => keySet } });
    expect(await statusesOf(url, bearer(good()))).toEqual(all(503));
  });

  it.each<[string, Record<string, unknown>]>([
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['has an issuer that is no text', { issuer: { toString: 1 } }],
    ['has its keys where no https is', { jwks_uri: 'http://203.0.113.7/jwks' }],
    ['has its keys in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['has its keys nowhere', { jwks_uri: 'not a URL' }],
  ])('gets 503 while metadata %s', async (_, metadata) => {
    const { url, good } = await startAttacked({}, { as: { metadata } });
    expect(await statusesOf(url, bearer(good()))).toEqual(all(503));
  });

  it.each(['down', 'error', 'garbage', 'redirect', 'endless'] as const)(
    'gets 503 while an issuer is %s, never 401 or 500',
    async (outage) => {
      const { url, good } = await startAttacked({}, { as: { outage } });
      expect(await statusesOf(url, bearer(good()))).toEqual(all(503));
    },
  );

  it.each<[string, string]>([
    ['nothing', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['two tokens', 'Bearer a b'],
    ['two challenges', 'Bearer a, Bearer b'],
    ['a tab', 'Bearer\ta'],
    ['quotes', 'Bearer "a"'],
    ['letters of other alphabets', 'Bearer \u00e4\u00f6'],
    ['markup', 'Bearer <script>'],
    ['padding in the middle', 'Bearer a=b'],
    ['a list of parameters', 'Digest username="x", realm="y"'],
  ])('gets 400 for a header with %s, by every entry', async (_, Authorization) => {
    const { url } = await startAttacked();
    expect(await statusesOf(url, { Authorization })).toEqual(all(400));
  });

  it('gets 4xx for malformed and endless headers', async () => {
    const { url, good } = await startAttacked();
    for (const method of ['POST', 'GET', 'DELETE', 'HEAD', 'PUT', 'PATCH']) {
      const head = (lines: string): string => `${method} /mcp HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n`;
      expect(await raw(url, head(`Authorization: Bearer a\u0000b`))).toMatch(/^HTTP\/1.1 400/);
      expect(await raw(url, head(`Authorization: Bearer ${'a'.repeat(40_000)}`))).toMatch(/^HTTP\/1.1 431/);
      expect(await raw(url, head(`Authorization: Bearer ${good()}\r\nauthorization: Bearer x`))).toMatch(
        /^HTTP\/1.1 400/,
      );
      expect(await raw(url, head(`Authorization: Bearer x\r\nAuthorization: Bearer ${good()}`))).toMatch(
        /^HTTP\/1.1 400/,
      );
      expect(await raw(url, head('X: y'))).toMatch(/^HTTP\/1.1 401/);
    }
  });

  it('can not use one issuer for the users of another (AU-09)', async () => {
    const other = await authorizationServer();
    onTestFinished(() => other.close());
    const issuer = await authorizationServer({ tokens: 'opaque', introspection: { iss: other.issuer } });
    onTestFinished(() => issuer.close());
    const introspection = { clientId: 'resource-server', clientSecret: 'secret' };
    const auth = oauth({ issuer: [issuer.issuer, other.issuer], introspection });
    const { url } = await start({ resource, auth });
    expect((await post(url, ping, bearer(issuer.token({ audience: resource })))).status).toBe(401);
    const signed = other.token({ audience: resource, claims: { iss: issuer.issuer } });
    expect((await post(url, ping, bearer(signed))).status).toBe(401);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an end after all time', { exp: 1e300 }],
    ['an end that is no number any more', { exp: 1e16 }],
    ['a beginning before all time', { nbf: -1e300, iat: -1e300 }],
    ['scopes that are no texts', { scope: [1, {}], scp: { a: 1 } }],
    ['claims named as members of every object', { constructor: 1, hasOwnProperty: 1, toString: 'x' }],
  ])('may be accepted or rejected with %s, without a crash', async (_, claims) => {
    const { url, issuer } = await startAttacked();
    const token = issuer.token({ audience: resource, claims });
    const statuses = Object.values(await statusesOf(url, bearer(token)));
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const stream = await fetch(url, { headers: { Accept: 'text/event-stream', ...bearer(token) } });
    await stream.body?.cancel();
    expect(stream.status).toBeLessThan(500);
    expect(
      (await statelessClient(url, { headers: bearer(token) }).sendCall('echo', { text: 'hi' })).status,
    ).toBeLessThan(500);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a subject that is no text', { sub: { toString: 1 }, client_id: undefined }],
    ['an empty subject', { sub: '', client_id: '' }],
    ['an endless subject', { sub: 'x'.repeat(5000) }],
    ['an audience of objects', { aud: [{ toString: 1 }] }],
    ['an audience in a list in a list', { aud: [[resource]] }],
    ['a binding that is null', { cnf: null }],
    ['a binding that is a text', { cnf: 'x' }],
    ['an end that is null', { exp: null }],
    ['an end that is a list', { exp: [9_999_999_999] }],
    ['an issuer in a list', { iss: ['x'] }],
  ])('gets 401 for %s', async (_, claims) => {
    const { url, issuer } = await startAttacked();
    expect(await statusesOf(url, bearer(issuer.token({ audience: resource, claims })))).toEqual(all(401));
  });

  it.each<[string, Record<string, unknown>]>([
    ['a key id that is no text', { kid: { toString: 1 } }],
    ['a key id that is null', { kid: null }],
    ['a type that is no text', { typ: { toString: 1 } }],
    ['a type that is null', { typ: null }],
    ['an algorithm in a list', { alg: ['ES256'] }],
    ['an algorithm that is a member of every object', { alg: 'constructor' }],
    ['the mark of an unencoded payload', { b64: false, crit: ['b64'] }],
    ['a list of extensions that is empty', { crit: [] }],
  ])('gets 401 for a token whose header has %s', async (_, header) => {
    const { url, issuer } = await startAttacked();
    expect(await statusesOf(url, bearer(issuer.token({ audience: resource, header })))).toEqual(all(401));
  });
});

describe('a connection', () => {
  /** Sends requests one after the other on one connection, each with its token, and returns their statuses. */
  async function onOneConnection(url: string, tokens: readonly string[], between = (_: number): unknown => undefined) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const statuses: number[] = [];
    const sockets = new Set<unknown>();
    for (const [index, token] of tokens.entries()) {
      await between(index);
      const request = httpRequest(url, {
        agent,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      });
      request.on('socket', (socket) => sockets.add(socket));
      request.end(JSON.stringify(ping));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      statuses.push(response.statusCode ?? 0);
      response.resume();
      await once(response, 'end');
    }
    expect(sockets.size).toBe(1);
    return statuses;
  }

  it('is no credential: each request is authenticated by its own token (AR-01)', async () => {
    const { url, issuer, good } = await startAttacked();
    const [one, two, bad] = [good(), good(), issuer.token({ audience: resource, fault: 'wrong-audience' })];
    const changed = `${one.slice(0, -4)}${one.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const tokens = [one, one, one, bad, one, two, two, two, changed, one, one];
    expect(await onOneConnection(url, tokens)).toEqual([200, 200, 200, 401, 200, 200, 200, 200, 401, 200, 200]);
  });

  it('does not extend a token beyond its expiry, or beyond its signing key (AR-50, AR-52)', async () => {
    const { url, good } = await startAttacked();
    const token = good();
    onTestFinished(() => void vi.useRealTimers());
    const end = (index: number): unknown =>
      index === 3 && vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 });
    expect(await onOneConnection(url, [token, token, token, token], end)).toEqual([200, 200, 200, 401]);
    vi.useRealTimers();

    vi.useFakeTimers({ toFake: ['performance'] });
    const other = await startAttacked();
    const [old, made] = [other.good(), (): string => other.issuer.token({ audience: resource })];
    const rotate = async (index: number): Promise<void> => {
      if (index !== 3) return;
      vi.advanceTimersByTime(31_000);
      await other.issuer.rotate();
      expect((await post(other.url, ping, bearer(made()))).status).toBe(200);
    };
    expect(await onOneConnection(other.url, [old, old, old, old], rotate)).toEqual([200, 200, 200, 401]);
  });
});
