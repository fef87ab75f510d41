import type { AuthRejection, NeededScopes, ProtectedEndpoint } from '../authenticator.ts';
import type { OAuthSettings } from './options.ts';
import { maxScopes } from '../../../features/scopes/scope-rule.ts';

/** A scheme of the header `Authorization`. */
export type Scheme = 'Bearer' | 'DPoP';

/** The error of a DPoP proof. */
export type ProofError = 'invalid_dpop_proof' | 'use_dpop_nonce';

/** Creates OAuth error responses: they say how to get a token, but never which check failed. */
export interface Rejections {
  /** No credentials. */
  missingToken(needed: readonly string[]): AuthRejection;
  /** Malformed credentials. */
  malformed(): AuthRejection;
  /** An invalid token. The id refers to the log line with the reason. */
  badToken(scheme: Scheme, requestId?: string): AuthRejection;
  badProof(error: ProofError, nonce: string | undefined): AuthRejection;
  /** Missing scopes. */
  insufficientScope(missing: NeededScopes, scheme: Scheme): AuthRejection;
  /** The caller may not use the server, whatever the token. */
  forbidden(): AuthRejection;
  /** The token can't be checked now. */
  unavailable(): AuthRejection;
  tooManyAttempts(seconds: number): AuthRejection;
}

/** Creates the rejections of an endpoint with metadata at this URL. */
export function createRejections(
  settings: Pick<OAuthSettings, 'scopes' | 'dpop' | 'algorithms' | 'implies'>,
  endpoint: Pick<ProtectedEndpoint, 'relevantScopes'>,
  metadataUrl: string,
): Rejections {
  const { scopes: required, dpop } = settings;
  const algs = settings.algorithms.join(' ');

  /** Formats a challenge, without empty parameters. */
  function challenge(scheme: Scheme, parameters: Readonly<Record<string, string | undefined>>): string {
    const all = { ...parameters, ...(scheme === 'DPoP' && { algs }) };
    const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
    return `${scheme} ${given.map(([name, value]) => `${name}=${quote(value ?? '')}`).join(', ')}`;
  }

  function challengeRejection(
    status: number,
    scheme: Scheme,
    { error, message, scope }: { error: string; message: string; scope?: string },
  ): AuthRejection {
    const parameters = { error, error_description: message, resource_metadata: metadataUrl, scope };
    return rejection(status, error, message, { 'WWW-Authenticate': [challenge(scheme, parameters)] });
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
      return rejection(401, 'unauthorized', 'An access token is needed', { 'WWW-Authenticate': challenges });
    },
    malformed() {
      const message = 'Authorization must be one scheme and one token';
      const parameters = { error: 'invalid_request', resource_metadata: metadataUrl };
      const line = challenge(dpop === 'require' ? 'DPoP' : 'Bearer', parameters);
      return rejection(400, 'invalid_request', message, { 'WWW-Authenticate': [line] });
    },
    badToken(scheme, requestId) {
      const message = 'The access token is invalid or has expired';
      const answer = challengeRejection(401, scheme, { error: 'invalid_token', message, scope: scopeText(required) });
      return requestId === undefined ? answer : { ...answer, body: { ...answer.body, request_id: requestId } };
    },
    badProof(error, nonce) {
      const message = error === 'use_dpop_nonce' ? 'The DPoP proof needs a nonce' : 'The DPoP proof is not valid';
      const answer = challengeRejection(401, 'DPoP', { error, message });
      return nonce === undefined ? answer : { ...answer, headers: { ...answer.headers, 'DPoP-Nonce': nonce } };
    },
    insufficientScope: (missing, scheme) =>
      challengeRejection(403, scheme, {
        error: 'insufficient_scope',
        message: 'The access token does not allow this',
        scope: stepUpScopes(missing, settings, endpoint),
      }),
    forbidden: () => rejection(403, 'access_denied', 'This caller may not use this server'),
    unavailable: () =>
      rejection(503, 'temporarily_unavailable', 'The access token can not be checked now', { 'Retry-After': '5' }),
    tooManyAttempts: (seconds) =>
      rejection(429, 'slow_down', `Too many rejected tokens from this address: try again in ${seconds} s`, {
        'Retry-After': String(seconds),
      }),
  };
}

function rejection(status: number, error: string, message: string, more: AuthRejection['headers'] = {}): AuthRejection {
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
  for (const scope of relevant) if (wanted.size < maxScopes) wanted.add(scope);
  return scopeText([...wanted]);
}

/** `offline_access` is not a scope of the resource. */
function scopeText(scopes: readonly string[]): string {
  return [...new Set(scopes)].filter((scope) => scope !== 'offline_access').join(' ');
}

function quote(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, '').replaceAll(/["\\]/g, '\\$&')}"`;
}
