import { AuthError, sanitize } from '../auth-error.ts';
import { type ClientIdentity, proveIdentity } from '../client-identity.ts';
import type { DpopKey } from './dpop.ts';
import { stringField } from '../json-fields.ts';
import type { Remote, RemoteAnswer } from '../remote.ts';
import type { AuthorizationServer } from './server-metadata.ts';

/** A token request. */
export interface TokenRequest {
  remote: Remote;
  server: Pick<AuthorizationServer, 'issuer' | 'tokenEndpoint' | 'authMethods'>;
  client: ClientIdentity;
  form: Readonly<Record<string, string>>;
  /** The key to bind the token to. */
  dpop: DpopKey | undefined;
}

/** The tokens of a token response. */
export interface Tokens {
  readonly accessToken: string;
  /** The thumbprint of the key that the token is bound to; absent for a bearer token. */
  readonly boundTo?: string;
  readonly refreshToken?: string;
  /** In milliseconds, as `Date.now()` counts. */
  readonly expiresAt?: number;
  /** The granted scopes, if the authorization server returns them. */
  readonly scope?: string;
}

const secretFields = ['assertion', 'code', 'code_verifier', 'refresh_token', 'subject_token'];

/** Requests an access token. */
export async function requestTokens(request: TokenRequest): Promise<Tokens> {
  const body = await postForm(request);
  const { dpop } = request;
  const accessToken = stringField(body, 'access_token');
  const type = stringField(body, 'token_type')?.toLowerCase();
  if (accessToken === undefined || !/^[\x21-\x7e]+$/.test(accessToken) || type !== (dpop ? 'dpop' : 'bearer')) {
    throw new AuthError('invalid_answer', `The authorization server gave no ${dpop ? 'DPoP' : 'bearer'} token`);
  }
  const refreshToken = stringField(body, 'refresh_token');
  const lifetime = Number(body.expires_in);
  const scope = stringField(body, 'scope');
  return {
    accessToken,
    ...(dpop === undefined ? {} : { boundTo: await dpop.thumbprint() }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(lifetime > 0 && Number.isFinite(lifetime) ? { expiresAt: Date.now() + lifetime * 1000 } : {}),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Posts a form to the token endpoint and returns the body of a successful response. */
export async function postForm(request: TokenRequest): Promise<Readonly<Record<string, unknown>>> {
  const { dpop, server } = request;
  let answer = await send(request);
  if (dpop !== undefined && answer.dpopNonce !== undefined) {
    dpop.note(server.tokenEndpoint, answer.dpopNonce);
    if (answer.body?.error === 'use_dpop_nonce') answer = await send(request);
  }
  if (answer.status !== 200) throw rejection('The authorization server gave no token', answer, secretsIn(request));
  if (answer.body === undefined)
    throw new AuthError('invalid_answer', 'The token endpoint answered with no JSON object');
  return answer.body;
}

/** Creates the error of a failed response, without secrets that it echoes from the request. */
export function rejection(what: string, { status, body = {} }: RemoteAnswer, secrets: readonly string[]): AuthError {
  const safeField = (name: string): string | undefined => {
    const text = stringField(body, name);
    return text === undefined || secrets.some((secret) => text.includes(secret)) ? undefined : sanitize(text);
  };
  const oauthError = safeField('error');
  const reason = [oauthError ?? `status ${status}`, safeField('error_description')].filter(
    (text) => text !== undefined,
  );
  const code = isTransient(status, oauthError) ? 'unreachable' : 'refused';
  return new AuthError(code, `${what}: ${reason.join(': ')}`, { oauthError });
}

/** A transient failure is no rejection: the same request may succeed later. */
function isTransient(status: number, oauthError: string | undefined): boolean {
  return status >= 500 || status === 429 || oauthError === 'temporarily_unavailable' || oauthError === 'server_error';
}

function secretsIn({ form, client: { secret } }: TokenRequest): string[] {
  return [...secretFields.flatMap((name) => form[name] ?? []), ...(secret === undefined ? [] : [secret])];
}

async function send({ remote, server, client, form, dpop }: TokenRequest): Promise<RemoteAnswer> {
  const identity = await proveIdentity(client, server);
  const proof = await dpop?.prove({ url: server.tokenEndpoint, method: 'POST' });
  return remote.post(server.tokenEndpoint, {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...identity.headers,
      ...(proof === undefined ? {} : { DPoP: proof }),
    },
    body: new URLSearchParams({ ...form, ...identity.form }).toString(),
  });
}
