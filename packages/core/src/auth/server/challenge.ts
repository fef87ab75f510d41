import type { Authenticator, AuthRefusal, CredentialsRequest, NeededScopes } from './authenticator.ts';

/** Refuses an operation whose scopes the caller lacks, in the words of the authenticator where it has some. */
export function challengeBy(auth: Authenticator, request: CredentialsRequest, lacking: NeededScopes): AuthRefusal {
  const refusal = auth.challenge?.(request, lacking);
  if (refusal !== undefined) return refusal;
  if (lacking.caller === undefined) return { status: 401, message: 'Who calls must say who they are' };
  return { status: 403, message: `This needs the scopes ${lacking.needed.join(' ')}` };
}
