import { AuthError } from '@ccmcp/core/client';
import type { SignInStepName } from '../../shared/findings.ts';

type Code = AuthError['code'];

const byCode: Readonly<Partial<Record<Code, string>>> = {
  unreachable: 'Does this address answer from here? A firewall or a proxy may be in the way: look at the exchange.',
  unsafe_url:
    'The server names an address that it may not name: https, and no private network that it is not in itself.',
  resource_mismatch: 'The "resource" of the metadata must be the address that clients use: set it to that.',
  issuer_mismatch: 'The "issuer" of the metadata must be the address at which they were found: set it to that.',
  state_mismatch: 'The answer belongs to another attempt. Close other windows, and begin again.',
  pkce_unsupported: 'The metadata must have "code_challenge_methods_supported": ["S256"].',
  client_unknown: 'Clients can not register themselves there. Register one, and give its client id.',
  untimely: 'A clock is wrong: that of this machine, or that of the server.',
};

const byStep: Readonly<Record<SignInStepName, string>> = {
  challenge: 'The server must answer 401 with WWW-Authenticate: Bearer resource_metadata="…".',
  'resource-metadata': 'Serve metadata at /.well-known/oauth-protected-resource, followed by the path of the endpoint.',
  'server-metadata': 'The authorization server must have metadata at one of its well-known places: see the exchanges.',
  registration: 'The authorization server takes no new clients. Register one there, and give its client id.',
  authorization: 'The person was not let in, or refused. See what the page said.',
  token: 'The token endpoint refused. Its "error" says why; a wrong redirect_uri or client is the usual reason.',
  use: 'Does the server know the issuer, and is the audience of its tokens its own address? Examine the connection.',
};

/** What to do about a step that failed. */
export function adviceOn(error: unknown, step: SignInStepName): string {
  const known = error instanceof AuthError ? byCode[error.code] : undefined;
  return known ?? byStep[step];
}
