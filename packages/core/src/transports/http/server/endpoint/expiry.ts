import { atTime } from '../../../../runtime/timers.ts';
import type { Auth } from '../../../../server/peer.ts';
import type { Endpoint } from './endpoint.ts';

/** Ends a long-lived request or stream when its caller's credentials expire. Returns the function that cancels that. */
export function endAtExpiry(
  { auth }: Pick<Endpoint, 'auth'>,
  { auth: caller }: { auth?: Auth | undefined },
  end: () => void,
): () => void {
  const expiresAt = caller?.expiresAt;
  return expiresAt === undefined ? () => {} : atTime(expiresAt + (auth?.leewayMs ?? 0), end);
}
