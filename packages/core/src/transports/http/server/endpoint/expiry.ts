import { atTime } from '../../../../runtime/timers.ts';
import type { Endpoint, Visit } from './endpoint.ts';

/**
 * Ends what lasts when what its caller showed is no longer good; the client comes back with something newer. Gives the way to
 * call that off.
 */
export function endAtExpiry({ auth }: Endpoint, { auth: caller }: Pick<Visit, 'auth'>, end: () => void): () => void {
  const expiresAt = caller?.expiresAt;
  return expiresAt === undefined ? () => {} : atTime(expiresAt + (auth?.leewayMs ?? 0), end);
}
