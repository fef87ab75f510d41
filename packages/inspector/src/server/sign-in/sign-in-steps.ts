import { AuthError, type TappedRequest } from '@ccmcp/core/client';
import type { SignInStepName } from '../../shared/diagnostics.ts';
import { isRecord, tryParseJson } from '../../shared/json.ts';

type Code = AuthError['code'];

const byCode: Readonly<Partial<Record<Code, string>>> = {
  unreachable: 'Does this address answer from here? A firewall or a proxy may be in the way: look at the exchange.',
  unsafe_url:
    'The server names an address that it may not name: https, and no private network that it is not in itself.',
  resource_mismatch: 'The "resource" of the metadata must be the address that clients use: set it to that.',
  issuer_mismatch: 'The "issuer" of the metadata must be the address at which they were found: set it to that.',
  state_mismatch: 'The answer belongs to another attempt. Close other windows, and start again.',
  pkce_unsupported: 'The metadata must have "code_challenge_methods_supported": ["S256"].',
  client_unknown: 'Dynamic registration is not supported. Register a client, and enter its client id.',
  untimely: 'A clock is wrong: that of this machine, or that of the server.',
};

const byStep: Readonly<Record<SignInStepName, string>> = {
  challenge: 'The server must answer 401 with WWW-Authenticate: Bearer resource_metadata="…".',
  'resource-metadata': 'Serve metadata at /.well-known/oauth-protected-resource, followed by the path of the endpoint.',
  'server-metadata': 'The authorization server must have metadata at one of its well-known places: see the exchanges.',
  registration: 'The authorization server rejects new clients. Register one there, and enter its client id.',
  authorization: 'The user was denied access, or declined. Check what the page said.',
  token:
    'The token endpoint rejected the request. Its "error" says why; a wrong redirect_uri or client is the usual reason.',
  use: 'Does the server know the issuer, and is its own URL the audience of its tokens? Diagnose the connection.',
};

/** Advice for a failed step. */
export function adviceFor(error: unknown, step: SignInStepName): string {
  const known = error instanceof AuthError ? byCode[error.code] : undefined;
  return known ?? byStep[step];
}

/** Step that a request belongs to. */
export function stepOf(
  { method, url, headers, about }: TappedRequest,
  metadataUrl: string | undefined,
): SignInStepName {
  if (about === 'messages') return headers.Authorization === undefined ? 'challenge' : 'use';
  if (method === 'GET') {
    const isResource = url.includes('/.well-known/oauth-protected-resource') || url === metadataUrl;
    return isResource ? 'resource-metadata' : 'server-metadata';
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.startsWith('application/json') ? 'registration' : 'token';
}

/** Response fields to show, by step. */
const shownFields: Readonly<Partial<Record<SignInStepName, readonly string[]>>> = {
  'resource-metadata': ['resource', 'authorization_servers', 'scopes_supported', 'bearer_methods_supported'],
  'server-metadata': [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'code_challenge_methods_supported',
    'token_endpoint_auth_methods_supported',
    'grant_types_supported',
    'scopes_supported',
    'client_id_metadata_document_supported',
    'authorization_response_iss_parameter_supported',
  ],
  registration: [
    'client_id',
    'client_name',
    'redirect_uris',
    'token_endpoint_auth_method',
    'error',
    'error_description',
  ],
  token: ['token_type', 'expires_in', 'scope', 'error', 'error_description'],
};

type Facts = readonly (readonly [string, string])[];

/** Facts of a response, for a table. */
export function responseFacts(step: SignInStepName, body: string): Facts {
  const names = shownFields[step];
  if (names === undefined) return [];
  const value = tryParseJson(body);
  if (!isRecord(value)) return [];
  return names.flatMap((name) => (value[name] === undefined ? [] : [[name, toText(value[name])] as const]));
}

/** Facts of an authorization URL, for a table. */
export function authorizationFacts(url: URL): Facts {
  const shown = ['client_id', 'redirect_uri', 'scope', 'resource', 'code_challenge_method', 'response_type'];
  const found = shown.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return [['page', `${url.origin}${url.pathname}`], ...found];
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, 1000);
}
