import { atTime } from '../../../../runtime/timers.ts';
import type { Auth } from '../../../../server/peer.ts';
import type { Endpoint } from './endpoint.ts';

/** Ends a long-lived request or stream when its caller's credentials expire. Returns a function that cancels this. */
export function endWhenCredentialsExpire(
  { auth }: Pick<Endpoint, 'auth'>,
  { auth: caller }: { auth?: Auth | undefined },
  end: () => void,
): () => void {
  const expiresAt = caller?.expiresAt;
  return expiresAt === undefined ? () => {} : atTime(expiresAt + (auth?.leewayMs ?? 0), end);
}
