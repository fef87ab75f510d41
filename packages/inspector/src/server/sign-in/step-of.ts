import type { TappedRequest } from '@ccmcp/core/client';
import type { SignInStepName } from '../../shared/findings.ts';

/** Which step of signing in a request belongs to. */
export function stepOf({ method, url, headers, about }: TappedRequest, announced: string | undefined): SignInStepName {
  if (about === 'messages') return headers.Authorization === undefined ? 'challenge' : 'use';
  if (method === 'GET') {
    const isResource = url.includes('/.well-known/oauth-protected-resource') || url === announced;
    return isResource ? 'resource-metadata' : 'server-metadata';
  }
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.startsWith('application/json') ? 'registration' : 'token';
}

/** What of an answer is worth a row in a table, by step. */
const worth: Readonly<Partial<Record<SignInStepName, readonly string[]>>> = {
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

/** What an answer says, for a table. */
export function factsIn(step: SignInStepName, body: string): Facts {
  const names = worth[step];
  if (names === undefined) return [];
  try {
    const value = JSON.parse(body) as Record<string, unknown>;
    return names.flatMap((name) => (value[name] === undefined ? [] : [[name, textOf(value[name])] as const]));
  } catch {
    return [];
  }
}

/** What the address says at which a person signs in. */
export function factsOfPage(url: URL): Facts {
  const shown = ['client_id', 'redirect_uri', 'scope', 'resource', 'code_challenge_method', 'response_type'];
  const found = shown.flatMap((name) => {
    const value = url.searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return [['page', `${url.origin}${url.pathname}`], ...found];
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, 1000);
}
