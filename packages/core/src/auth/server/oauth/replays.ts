import type { Awaitable } from '../../../jsonrpc/awaitable.ts';
import { limits } from '../../../limits.ts';
import type { ProtectedEndpoint } from '../authenticator.ts';

const maxProofs = limits.oauth.proofs.value;
const lifeMs = 2 * limits.oauth.proofAge.value * 1000;

/** Remembers proofs for as long as they would be good. True for one that is new. */
export type TakeProof = (digest: string) => Awaitable<boolean>;

/** Proofs that came to this process. Of too many, the oldest are forgotten. */
export function proofsHere(): TakeProof {
  const taken = new Map<string, number>();
  return (digest) => {
    const now = performance.now();
    const until = taken.get(digest);
    if (until !== undefined && until > now) return false;
    taken.delete(digest);
    taken.set(digest, now + lifeMs);
    for (const [oldest, end] of taken) {
      if (taken.size <= maxProofs && end > now) break;
      taken.delete(oldest);
    }
    return true;
  };
}

/** Proofs that came to any instance. */
export function proofsIn(store: ProtectedEndpoint['store']): TakeProof {
  return (digest) => store.claim(`dpop-proof/${digest}`, { ttlMs: lifeMs, kind: 'dpop-proof', limit: maxProofs });
}
