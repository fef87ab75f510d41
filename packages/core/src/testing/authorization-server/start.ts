import { answerAuthorization } from './authorize.ts';
import { type Books, issuerOf } from './books.ts';
import { register } from './clients.ts';
import { type Answer, listen, type Seen } from './http.ts';
import { answerIntrospection } from './introspection.ts';
import { makeKey, publicJwk } from './keys.ts';
import { metadataOf, metadataPaths } from './metadata.ts';
import { mint } from './mint.ts';
import type { AuthEndpoint, AuthorizationServerOptions, Outage } from './settings.ts';
import type { TestAuthorizationServer } from './test-server.ts';
import { answerToken } from './token-endpoint.ts';

/** The paths of its endpoints, but for its metadata. */
const endpoints: Readonly<Record<string, AuthEndpoint>> = {
  '/jwks': 'jwks',
  '/authorize': 'authorization',
  '/token': 'token',
  '/introspect': 'introspection',
  '/register': 'registration',
  '/foreign': 'foreignKeys',
};

/** Starts an authorization server for tests. */
export async function start(options: AuthorizationServerOptions): Promise<TestAuthorizationServer> {
  const { algorithms = ['ES256'], port, ...settings } = options;
  const seen: Seen[] = [];
  const books: Books = {
    settings,
    origin: '',
    keys: await Promise.all(algorithms.map(makeKey)),
    foreign: await makeKey(algorithms[0] ?? 'ES256'),
    tokens: new Map(),
    refreshTokens: new Map(),
    clients: new Map(),
    codes: new Map(),
  };
  const endpointOf = (path: string): AuthEndpoint | undefined =>
    metadataPaths(books).includes(path) ? 'metadata' : endpoints[path];
  const { origin, close } = await listen(async (request) => {
    seen.push(request);
    const endpoint = endpointOf(request.path);
    const answer = failing(books, endpoint) ?? (await answerOf(books, endpoint, request));
    return { ...answer, headers: { 'Access-Control-Allow-Origin': '*', ...answer.headers } };
  }, port);
  books.origin = origin;
  const requests = (path: string): Seen[] => seen.filter((request) => request.path === path);
  const asked = (endpoint: AuthEndpoint): number => seen.filter(({ path }) => endpointOf(path) === endpoint).length;
  return {
    issuer: issuerOf(books),
    settings,
    seen,
    tokens: books.tokens,
    requests,
    asked,
    forms: () => requests('/token').map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
    questions: () => requests('/authorize').map(({ query }) => Object.fromEntries(query)),
    token: (wish = {}) => mint(books, wish),
    revoke: (token) => {
      const known = books.tokens.get(token);
      if (known !== undefined) known.revoked = true;
    },
    async rotate({ keepOld = false } = {}) {
      const fresh = await Promise.all(algorithms.map(makeKey));
      books.keys = keepOld ? [...books.keys, ...fresh] : fresh;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answerOf(books: Books, endpoint: AuthEndpoint | undefined, request: Seen): Promise<Answer> {
  const { settings, keys, foreign } = books;
  switch (endpoint) {
    case 'metadata':
      return { json: metadataOf(books) };
    case 'jwks': {
      const all = keys.map(publicJwk);
      return { json: settings.keySet === undefined ? { keys: all } : settings.keySet(all) };
    }
    case 'authorization':
      return answerAuthorization(books, request);
    case 'token':
      return answerToken(books, request);
    case 'introspection':
      return answerIntrospection(books, request);
    case 'registration':
      return register(books, request);
    case 'foreignKeys':
      return { json: { keys: [publicJwk(foreign)] } };
    default:
      return settings.otherwise?.(request) ?? { status: 404 };
  }
}

const failures: Readonly<Record<Outage, (origin: string) => Answer>> = {
  down: () => ({ instead: 'close' }),
  slow: () => ({ instead: 'wait' }),
  error: () => ({ status: 503, json: { error: 'temporarily_unavailable' } }),
  garbage: () => ({ text: '<html>Welcome</html>' }),
  endless: () => ({ headers: { 'Content-Type': 'application/json' }, instead: 'endless' }),
  redirect: (origin) => ({ status: 302, headers: { Location: `${origin}/foreign` } }),
};

function failing({ settings: { outage }, origin }: Books, endpoint: AuthEndpoint | undefined): Answer | undefined {
  const how = typeof outage === 'string' ? outage : endpoint && outage?.[endpoint];
  return how === undefined ? undefined : failures[how](origin);
}
