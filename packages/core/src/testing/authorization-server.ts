import {
  type AuthEndpoint,
  type AuthorizationServerOptions,
  issuerOf,
  type MetadataForm,
  type Outage,
  type ServerState,
  type TestAuthorizationServer,
} from './authorization-server/options.ts';
import {
  answerToken,
  isAllowedRedirect,
  isResourceServer,
  issueToken,
  register,
} from './authorization-server/token-endpoint.ts';
import { type Answer, listen, type RecordedRequest } from './authorization-server/http.ts';
import { makeKey, nowInSeconds, overlay, publicJwk } from './authorization-server/jwt.ts';
import { randomUUID } from 'node:crypto';

/** Endpoints by path, except metadata. */
const endpoints: Readonly<Record<string, AuthEndpoint>> = {
  '/jwks': 'jwks',
  '/authorize': 'authorization',
  '/token': 'token',
  '/introspect': 'introspection',
  '/register': 'registration',
  '/foreign': 'foreignKeys',
};

/**
 * Starts an authorization server for tests on this machine: real HTTP, real keys, and tokens with any fault that a
 * protected server must detect.
 */
export async function authorizationServer(options: AuthorizationServerOptions = {}): Promise<TestAuthorizationServer> {
  const { algorithms = ['ES256'], port, ...settings } = options;
  const seen: RecordedRequest[] = [];
  const state: ServerState = {
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
    metadataPaths(state).includes(path) ? 'metadata' : endpoints[path];
  const { origin, close } = await listen(async (request) => {
    seen.push(request);
    const endpoint = endpointOf(request.path);
    const answer = outageAnswer(state, endpoint) ?? (await answerRequest(state, endpoint, request));
    return { ...answer, headers: { 'Access-Control-Allow-Origin': '*', ...answer.headers } };
  }, port);
  state.origin = origin;
  const requests = (path: string): RecordedRequest[] => seen.filter((request) => request.path === path);
  const asked = (endpoint: AuthEndpoint): number => seen.filter(({ path }) => endpointOf(path) === endpoint).length;
  return {
    issuer: issuerOf(state),
    settings,
    seen,
    tokens: state.tokens,
    requests,
    asked,
    forms: () => requests('/token').map(({ body }) => Object.fromEntries(new URLSearchParams(body))),
    questions: () => requests('/authorize').map(({ query }) => Object.fromEntries(query)),
    token: (wish = {}) => issueToken(state, wish),
    revoke: (token) => {
      const known = state.tokens.get(token);
      if (known !== undefined) known.revoked = true;
    },
    async rotate({ keepOld = false } = {}) {
      const fresh = await Promise.all(algorithms.map(makeKey));
      state.keys = keepOld ? [...state.keys, ...fresh] : fresh;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answerRequest(
  state: ServerState,
  endpoint: AuthEndpoint | undefined,
  request: RecordedRequest,
): Promise<Answer> {
  const { settings, keys, foreign } = state;
  switch (endpoint) {
    case 'metadata':
      return { json: metadataOf(state) };
    case 'jwks': {
      const all = keys.map(publicJwk);
      return { json: settings.keySet === undefined ? { keys: all } : settings.keySet(all) };
    }
    case 'authorization':
      return answerAuthorization(state, request);
    case 'token':
      return answerToken(state, request);
    case 'introspection':
      return answerIntrospection(state, request);
    case 'registration':
      return register(state, request);
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

function outageAnswer(
  { settings: { outage }, origin }: ServerState,
  endpoint: AuthEndpoint | undefined,
): Answer | undefined {
  const how = typeof outage === 'string' ? outage : endpoint && outage?.[endpoint];
  return how === undefined ? undefined : failures[how](origin);
}

/** Redirects with a code immediately, without a user. */
function answerAuthorization(state: ServerState, { query }: RecordedRequest): Answer {
  const { settings, codes, clients } = state;
  const question = Object.fromEntries(query);
  const { redirect_uri: redirectUri = '', client_id: clientId = '', state: given } = question;
  const client = clients.get(clientId) ?? settings.clients?.find(({ id }) => id === clientId);
  if (!URL.canParse(redirectUri) || !isAllowedRedirect(client, redirectUri)) {
    return { status: 400, text: 'The redirect_uri is not one of this client' };
  }
  const back = new URL(redirectUri);
  const iss =
    settings.iss === undefined ? ((settings.metadata?.issuer as string | undefined) ?? issuerOf(state)) : settings.iss;
  if (iss !== null) back.searchParams.set('iss', iss);
  if (given !== undefined) back.searchParams.set('state', given);
  if (settings.denyUser === undefined) {
    const code = randomUUID();
    codes.set(code, question);
    back.searchParams.set('code', code);
  }
  for (const [name, value] of Object.entries(settings.denyUser ?? {})) back.searchParams.set(name, value);
  return { status: 302, headers: { Location: back.href } };
}

/** Answers an introspection request. */
async function answerIntrospection(state: ServerState, seen: RecordedRequest): Promise<Answer> {
  if (!(await isResourceServer(state, seen))) {
    return { status: 401, headers: { 'WWW-Authenticate': 'Basic' }, json: { error: 'invalid_client' } };
  }
  const { tokens, settings } = state;
  const token = tokens.get(new URLSearchParams(seen.body).get('token') ?? '');
  const claims = token?.claims ?? { scope: token?.scope, aud: token?.resource };
  const isActive = token !== undefined && token.revoked !== true && !(Number(claims.exp) <= nowInSeconds());
  if (!isActive) return { json: { active: false } };
  const bound = (claims.cnf as { jkt?: string } | undefined)?.jkt !== undefined;
  return { json: overlay({ active: true, token_type: bound ? 'DPoP' : 'Bearer', ...claims }, settings.introspection) };
}

/** The metadata of the server. */
function metadataOf(state: ServerState): Record<string, unknown> {
  const { origin, settings, keys } = state;
  const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
  const algorithms = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return overlay(
    {
      issuer: issuerOf(state),
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      introspection_endpoint: `${origin}/introspect`,
      jwks_uri: `${origin}/jwks`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: algorithms,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods.slice(1),
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      ...(settings.dpop === 'off' ? {} : { dpop_signing_alg_values_supported: ['ES256', 'ES384', 'EdDSA', 'RS256'] }),
    },
    settings.metadata,
  );
}

/** The paths of its metadata. */
function metadataPaths({ settings }: ServerState): string[] {
  const { path = '', metadataAt = ['oauth', 'openid', 'openid-appended'] } = settings;
  const places: Readonly<Record<MetadataForm, string>> = {
    oauth: `/.well-known/oauth-authorization-server${path}`,
    openid: `/.well-known/openid-configuration${path}`,
    'openid-appended': `${path}/.well-known/openid-configuration`,
  };
  return metadataAt.map((at) => (at.startsWith('/') ? at : places[at as MetadataForm]));
}
