import { limits } from '../../../limits.ts';
import type { AuthRefusal, NeededScopes, ProtectedEndpoint } from '../authenticator.ts';
import type { OAuthSettings } from './options.ts';

const maxNamed = limits.server.scopes.value;

/** A scheme of the header `Authorization`. */
export type Scheme = 'Bearer' | 'DPoP';

/** The error of a DPoP proof. */
export type ProofError = 'invalid_dpop_proof' | 'use_dpop_nonce';

/** Creates OAuth error responses: they tell how to get a token, but never which check failed. */
export interface Refusals {
  /** No credentials. */
  missingToken(needed: readonly string[]): AuthRefusal;
  /** Malformed credentials. */
  malformed(): AuthRefusal;
  /** An invalid token. The id refers to the log line with the reason. */
  badToken(scheme: Scheme, requestId?: string): AuthRefusal;
  badProof(error: ProofError, nonce: string | undefined): AuthRefusal;
  /** Missing scopes. */
  insufficientScope(lacking: NeededScopes, scheme: Scheme): AuthRefusal;
  /** The caller may not use the server, whatever the token. */
  forbidden(): AuthRefusal;
  /** The token can't be checked now. */
  unavailable(): AuthRefusal;
  tooManyAttempts(seconds: number): AuthRefusal;
}

/** Creates the refusals of an endpoint with metadata at this URL. */
export function createRefusals(
  settings: Pick<OAuthSettings, 'scopes' | 'dpop' | 'algorithms' | 'implies'>,
  endpoint: Pick<ProtectedEndpoint, 'relevantScopes'>,
  metadataUrl: string,
): Refusals {
  const { scopes: required, dpop } = settings;
  const algs = settings.algorithms.join(' ');

  /** Formats a challenge, without empty parameters. */
  function challenge(scheme: Scheme, parameters: Readonly<Record<string, string | undefined>>): string {
    const all = { ...parameters, ...(scheme === 'DPoP' && { algs }) };
    const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
    return `${scheme} ${given.map(([name, value]) => `${name}=${quoted(value ?? '')}`).join(', ')}`;
  }

  function challengeRefusal(
    status: number,
    scheme: Scheme,
    { error, message, scope }: { error: string; message: string; scope?: string },
  ): AuthRefusal {
    const parameters = { error, error_description: message, resource_metadata: metadataUrl, scope };
    return refusal(status, error, message, { 'WWW-Authenticate': [challenge(scheme, parameters)] });
  }

  return {
    missingToken(needed) {
      const parameters = { resource_metadata: metadataUrl, scope: scopeText([...required, ...needed]) };
      const schemes: Scheme[] = {
        off: ['Bearer' as const],
        accept: ['Bearer' as const, 'DPoP' as const],
        require: ['DPoP' as const],
      }[dpop];
      const challenges = schemes.map((scheme) => challenge(scheme, parameters));
      return refusal(401, 'unauthorized', 'An access token is needed', { 'WWW-Authenticate': challenges });
    },
    malformed() {
      const message = 'Authorization must be one scheme and one token';
      const parameters = { error: 'invalid_request', resource_metadata: metadataUrl };
      const line = challenge(dpop === 'require' ? 'DPoP' : 'Bearer', parameters);
      return refusal(400, 'invalid_request', message, { 'WWW-Authenticate': [line] });
    },
    badToken(scheme, requestId) {
      const message = 'The access token is not valid here, or not any more';
      const answer = challengeRefusal(401, scheme, { error: 'invalid_token', message, scope: scopeText(required) });
      return requestId === undefined ? answer : { ...answer, body: { ...answer.body, request_id: requestId } };
    },
    badProof(error, nonce) {
      const message = error === 'use_dpop_nonce' ? 'The DPoP proof needs a nonce' : 'The DPoP proof is not valid';
      const answer = challengeRefusal(401, 'DPoP', { error, message });
      return nonce === undefined ? answer : { ...answer, headers: { ...answer.headers, 'DPoP-Nonce': nonce } };
    },
    insufficientScope: (lacking, scheme) =>
      challengeRefusal(403, scheme, {
        error: 'insufficient_scope',
        message: 'The access token does not allow this',
        scope: stepUpScopes(lacking, settings, endpoint),
      }),
    forbidden: () => refusal(403, 'access_denied', 'This caller may not use this server'),
    unavailable: () =>
      refusal(503, 'temporarily_unavailable', 'The access token can not be checked now', { 'Retry-After': '5' }),
    tooManyAttempts: (seconds) =>
      refusal(429, 'slow_down', `Too many refused tokens from this address: try again in ${seconds} s`, {
        'Retry-After': String(seconds),
      }),
  };
}

function refusal(status: number, error: string, message: string, more: AuthRefusal['headers'] = {}): AuthRefusal {
  return { status, message, headers: more, body: { error, error_description: message } };
}

/**
 * The scopes of the token to request: those every token needs, those of the operation, and the relevant granted ones,
 * because many clients only request what a challenge lists.
 */
function stepUpScopes(
  { needed, caller }: NeededScopes,
  { scopes: required, implies }: Pick<OAuthSettings, 'scopes' | 'implies'>,
  { relevantScopes }: Pick<ProtectedEndpoint, 'relevantScopes'>,
): string {
  const granted = caller?.scopes ?? [];
  const relevant = [...granted.filter((scope) => Object.hasOwn(implies, scope)), ...(relevantScopes?.(granted) ?? [])];
  const wanted = new Set([...required, ...needed]);
  for (const scope of relevant) if (wanted.size < maxNamed) wanted.add(scope);
  return scopeText([...wanted]);
}

/** `offline_access` is not a scope of the resource. */
function scopeText(scopes: readonly string[]): string {
  return [...new Set(scopes)].filter((scope) => scope !== 'offline_access').join(' ');
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, '\\$&')}"`;
}
