import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AuthorizationServerOptions,
  authorizationServer,
  type TestAuthorizationServer,
} from '@ccmcp/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from './finding.ts';
import { checkToken } from './token.ts';
import { discoverOAuth } from './discovery.ts';

/** Responses of a protected server, each of which can be overridden. */
interface Parts {
  by: TestAuthorizationServer;
  url: string;
  status: number;
  challenge: string | undefined;
  /** Documents by path. */
  documents: Record<string, unknown>;
  slash: number;
  open: boolean;
  date?: string;
}

const wellKnown = '/.well-known/oauth-protected-resource';

/** A valid protected server that rejects every request, with some responses overridden. */
async function start(options: AuthorizationServerOptions = {}): Promise<Parts> {
  const by = await authorizationServer(options);
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const document = parts.documents[path];
    const open = parts.open ? { 'Access-Control-Allow-Origin': '*' } : {};
    if (request.method === 'GET' && document !== undefined) {
      const text = typeof document === 'string' ? document : JSON.stringify(document);
      response.writeHead(200, { 'Content-Type': 'application/json', ...open }).end(text);
    } else if (path === '/mcp' || path === '/mcp/') {
      const status = path === '/mcp' ? parts.status : parts.slash;
      const challenge = parts.challenge === undefined ? {} : { 'WWW-Authenticate': parts.challenge };
      response.writeHead(status, { ...challenge, ...(parts.date && { Date: parts.date }) }).end();
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    await by.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}/mcp`;
  const metadata = { resource: url, authorization_servers: [by.issuer], scopes_supported: ['read'] };
  const parts: Parts = {
    by,
    url,
    status: 401,
    challenge: `Bearer resource_metadata="${origin}${wellKnown}/mcp", scope="read"`,
    documents: { [`${wellKnown}/mcp`]: metadata, [wellKnown]: metadata },
    slash: 401,
    open: true,
  };
  return parts;
}

async function findings({ url }: Parts): Promise<Finding[]> {
  const all: Finding[] = [];
  await discoverOAuth(new URL(url), {}, (finding) => all.push(finding));
  return all;
}

/** The problems, as `step: sentence -> change`. */
function wrong(all: readonly Finding[]): string[] {
  return all.flatMap(({ step, level, says, change }) =>
    level === 'ok' ? [] : [`${step}: ${says} -> ${change ?? ''}`],
  );
}

/** The metadata of the server, with other fields. */
function metadata(parts: Parts, over: Record<string, unknown>): void {
  for (const place of [`${wellKnown}/mcp`, wellKnown]) {
    parts.documents[place] = { ...(parts.documents[place] as object), ...over };
  }
}

type Break = (parts: Parts) => void;
const ofIssuer =
  (over: Record<string, unknown>): Break =>
  ({ by }) => {
    by.settings.metadata = over;
  };

const faults: [string, Break, RegExp][] = [
  [
    'no challenge',
    (p) => (p.challenge = undefined),
    /^challenge: .*no WWW-Authenticate header.* -> send WWW-Authenticate: Bearer resource_metadata="http.*\/mcp"$/,
  ],
  ['another scheme', (p) => (p.challenge = 'Basic realm="x"'), /^challenge: .*offers basic, and no Bearer/],
  ['no resource_metadata', (p) => (p.challenge = 'Bearer scope="read"'), /^challenge: .*has no resource_metadata/],
  [
    'a relative resource_metadata',
    (p) => (p.challenge = 'Bearer resource_metadata="/x"'),
    /^challenge: .*it is no URL/,
  ],
  [
    'metadata over http',
    (p) => (p.challenge = 'Bearer resource_metadata="http://api.example/x"'),
    /^challenge: .*it is no https URL/,
  ],
  [
    'an announced document that is not there',
    (p) => (p.challenge = p.challenge?.replace('/mcp"', '/other"')),
    /^metadata: there is no metadata at .*\/other: it is answered with 404 -> it is at .*\/mcp: name that/,
  ],
  [
    'no document anywhere',
    (p) => (p.documents = {}),
    /^metadata: there is no metadata at .* -> serve it at .*oauth-protected-resource\/mcp$/,
  ],
  [
    'a document that is no JSON',
    (p) => (p.documents = { [`${wellKnown}/mcp`]: '<html>' }),
    /^metadata: .*it is no JSON object/,
  ],
  [
    'another resource',
    (p) => metadata(p, { resource: 'https://internal:8080/mcp' }),
    /^metadata: it is about https:\/\/internal:8080\/mcp, not about http.*: clients reject it -> resource: "http/,
  ],
  ['no resource', (p) => metadata(p, { resource: undefined }), /^metadata: it does not say which resource/],
  [
    'no authorization server',
    (p) => metadata(p, { authorization_servers: [] }),
    /^metadata: it names no authorization server -> authorization_servers:/,
  ],
  [
    'an unsafe authorization server',
    (p) => metadata(p, { authorization_servers: ['http://login.example'] }),
    /^metadata: its authorization server http:\/\/login.example can't be used/,
  ],
  [
    'nothing at the path',
    (p) => {
      delete p.documents[`${wellKnown}/mcp`];
      p.challenge = p.challenge?.replace('/mcp"', '"');
    },
    /^metadata by path: there is none at/,
  ],
  ['nothing at the root', (p) => delete p.documents[wellKnown], /^metadata at the root: there is none at/],
  [
    'another resource at the root',
    (p) => (p.documents[wellKnown] = { resource: 'https://api.example/other', authorization_servers: [] }),
    /^metadata at the root: .* is about https:\/\/api.example\/other/,
  ],
  [
    'other issuers at the root',
    (p) => (p.documents[wellKnown] = { resource: p.url, authorization_servers: ['https://other.example'] }),
    /^metadata at the root: .*differs from/,
  ],
  [
    'no metadata of the issuer',
    ({ by }) => (by.settings.metadataAt = []),
    /^issuer: the authorization server has no metadata: .*oauth-authorization-server \(it is answered with 404\)/,
  ],
  [
    'an issuer with a slash',
    ({ by }) => (by.settings.metadata = { issuer: `${by.issuer}/` }),
    /^issuer: .*says that its issuer is http.*\/, not http.*clients reject it -> authorization_servers: \["http/,
  ],
  ['an issuer that is down', ({ by }) => (by.settings.outage = { metadata: 'down' }), /^issuer: .*it can't be reached/],
  ['no token endpoint', ofIssuer({ token_endpoint: undefined }), /^sign-in: the token_endpoint of .*it is not there/],
  [
    'an unsafe authorization endpoint',
    ofIssuer({ authorization_endpoint: 'http://login.example/a' }),
    /^sign-in: the authorization_endpoint of .*it is no https URL/,
  ],
  [
    'no S256',
    ofIssuer({ code_challenge_methods_supported: ['plain'] }),
    /^sign-in: .*PKCE with S256: clients must reject it -> code_challenge_methods_supported/,
  ],
  ['no code grant', ofIssuer({ grant_types_supported: ['client_credentials'] }), /^sign-in: .*supports no sign-in/],
  [
    'no way to become known',
    ofIssuer({ registration_endpoint: undefined, client_id_metadata_document_supported: undefined }),
    /^sign-in: .*takes no clients that it does not know.*--client-id/,
  ],
  [
    'scopes that the issuer does not know',
    ofIssuer({ scopes_supported: ['openid'] }),
    /^sign-in: the server wants the scope read, which/,
  ],
  [
    'neither keys nor introspection',
    ofIssuer({ jwks_uri: undefined, introspection_endpoint: undefined }),
    /^keys: .*names neither keys nor a place to ask/,
  ],
  [
    'no keys but introspection',
    ofIssuer({ jwks_uri: undefined }),
    /^keys: .*asked about at its introspection endpoint/,
  ],
  [
    'keys over http',
    ofIssuer({ jwks_uri: 'http://login.example/jwks' }),
    /^keys: its keys can't be fetched: it is no https URL/,
  ],
  [
    'keys that are down',
    ({ by }) => (by.settings.outage = { jwks: 'error' }),
    /^keys: there are no keys at .*: it is answered with 503/,
  ],
  [
    'keys behind a redirect',
    ({ by }) => (by.settings.outage = { jwks: 'redirect' }),
    /^keys: .*leads to another place \(302\)/,
  ],
  ['no list of keys', ({ by }) => (by.settings.keySet = () => ({ key: [] })), /^keys: .*is no key set/],
  [
    'no keys in the list',
    ({ by }) => (by.settings.keySet = () => ({ keys: [] })),
    /^keys: none of the keys .*there are none/,
  ],
  [
    'keys to encrypt with',
    ({ by }) => (by.settings.keySet = (keys) => ({ keys: keys.map((key) => ({ ...key, use: 'enc' })) })),
    /^keys: none of the keys .*use is enc/,
  ],
  [
    'damaged keys',
    ({ by }) => (by.settings.keySet = (keys) => ({ keys: keys.map((key) => ({ ...key, x: 'AAAA' })) })),
    /^keys: none of the keys .*a key is damaged/,
  ],
  [
    'a private key',
    ({ by }) => (by.settings.keySet = (keys) => ({ keys: keys.map((key) => ({ ...key, d: 'AAAA' })) })),
    /^keys: .*publishes a key that must be secret/,
  ],
  [
    'a shared secret',
    ({ by }) => (by.settings.keySet = () => ({ keys: [{ kty: 'oct', k: 'AAAA' }] })),
    /^keys: .*publishes a key that must be secret/,
  ],
  [
    'keys without names',
    ({ by }) => (by.settings.keySet = ([key]) => ({ keys: [{ ...key, kid: undefined }, key] })),
    /^keys: .*some without kid/,
  ],
  ['another answer with a slash', (p) => (p.slash = 404), /^slash: \/mcp\/ is answered with 404, \/mcp with 401/],
  [
    'documents that pages may not read',
    (p) => (p.open = false),
    /^browsers: pages may not read .*oauth-protected-resource\/mcp -> Access-Control-Allow-Origin/,
  ],
];

describe('OAuth discovery', () => {
  it('succeeds in every step, for issuers of each form', async () => {
    for (const options of [
      {},
      { path: '/tenant', metadataAt: ['openid-appended'] as const },
      { algorithms: ['RS256'] as const },
    ]) {
      const all = await findings(await start(options));
      expect(wrong(all)).toEqual([]);
      expect(all.map(({ step }) => step)).toEqual([
        'challenge',
        'metadata',
        'metadata at the root',
        'issuer',
        'sign-in',
        'keys',
        'slash',
        'browsers',
      ]);
    }
  });

  it.each(faults)('with %s gets a sentence of its own', async (_, breakIt, sentence) => {
    const parts = await start();
    breakIt(parts);
    const said = wrong(await findings(parts));
    expect(said.filter((each) => sentence.test(each))).toHaveLength(1);
    expect(said[0]).toMatch(sentence);
  });

  it('is skipped for another kind of credentials', async () => {
    const parts = await start();
    parts.challenge = 'ApiKey header="X-Api-Key"';
    parts.documents = {};
    expect(await discoverOAuth(new URL(parts.url), {}, () => {})).toBeUndefined();
  });

  it('runs if a server is protected only in part', async () => {
    const parts = await start();
    parts.status = 200;
    const all = await findings(parts);
    expect(wrong(all)).toEqual([]);
    expect(all[0]?.says).toContain('some of it is for everybody');
  });
});

describe('a token', () => {
  async function stepsFor(fault: Parameters<TestAuthorizationServer['token']>[0], aheadMs = 0): Promise<string[]> {
    const parts = await start();
    const token = parts.by.token({ audience: parts.url, scopes: ['read'], ...fault });
    const all: Finding[] = [];
    const way = await discoverOAuth(new URL(parts.url), {}, () => {});
    const place = { resource: parts.url, issuers: [parts.by.issuer], keys: way?.keys ?? [], scopes: ['read'], aheadMs };
    checkToken(token, place, (finding) => all.push(finding));
    expect(JSON.stringify(all)).not.toContain(token);
    for (const part of token.split('.').filter((each) => each.length > 20))
      expect(JSON.stringify(all)).not.toContain(part);
    return wrong(all);
  }

  it('has no faults if it is valid', async () => {
    expect(await stepsFor({})).toEqual([]);
    expect(await stepsFor({ header: { typ: 'JWT' }, scopeClaim: 'scp-list' })).toEqual([]);
  });

  it.each<[Parameters<TestAuthorizationServer['token']>[0], RegExp]>([
    [{ fault: 'unsigned' }, /its algorithm \(alg\) is none/],
    [{ fault: 'public-key-as-secret' }, /its algorithm \(alg\) is HS256/],
    [{ fault: 'wrong-issuer' }, /its issuer \(iss\) is https:\/\/issuer.example, the server takes tokens of http/],
    [
      { fault: 'wrong-audience' },
      /it is for \(aud\) https:\/\/other.example\/mcp, the server is http.* -> ask for the token with resource=http/,
    ],
    [{ fault: 'no-audience' }, /it is for \(aud\) nobody/],
    [{ fault: 'expired' }, /it has expired \(exp\), 60 min ago -> get a new token/],
    [{ fault: 'no-expiry' }, /does not say when it ends/],
    [{ fault: 'not-yet' }, /it is of the future \(nbf\), by 60 min/],
    [{ fault: 'from-the-future' }, /it is of the future \(iat\), by 60 min/],
    [{ fault: 'unknown-key' }, /the key that signed it \(kid .*\) is not among those of the issuer/],
    [{ fault: 'other-key' }, /its signature is not one of that key/],
    [{ fault: 'changed' }, /its signature is not one of that key/],
    [{ fault: 'id-token' }, /it is an ID token/],
    [{ fault: 'other-type' }, /its type \(typ\) is logout\+jwt/],
    [{ fault: 'critical-header' }, /extensions \(crit\)/],
    [{ fault: 'bound-to-key' }, /it is bound to a key or a certificate \(cnf\)/],
    [{ scopes: ['write'] }, /it lacks the scope read; it has write -> ask for the token with scope="read"/],
    [{ claims: { scope: undefined } }, /it lacks the scope read; it names none/],
    [{ opaque: true }, /it means something to its issuer alone/],
  ])('%j is reported', async (fault, sentence) => {
    const said = await stepsFor(fault);
    expect(said.filter((each) => sentence.test(each))).toHaveLength(1);
  });

  it("is reported with the clock offset if it expired by the server's clock", async () => {
    expect(await stepsFor({ lifetime: 60 }, 600_000)).toEqual([
      expect.stringContaining("it has expired (exp), 9 min ago; the server's clock is 10 min ahead of this one"),
    ]);
  });
});
