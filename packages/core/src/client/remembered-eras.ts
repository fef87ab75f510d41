/** An old server may be replaced by a new one, and nothing would tell. */
const lifetimeMs = 60 * 60 * 1000;
const mostKept = 1000;

const old = new Map<string, number>();

/** What was learnt of servers: which of them know nothing but the handshake. */
export const rememberedEras = {
  isHandshake(place: string | undefined): boolean {
    const until = place === undefined ? undefined : old.get(place);
    return until !== undefined && until > Date.now();
  },

  rememberHandshake(place: string | undefined): void {
    if (place === undefined) return;
    if (old.size >= mostKept) old.clear();
    old.set(place, Date.now() + lifetimeMs);
  },

  forget(place: string | undefined): void {
    if (place !== undefined) old.delete(place);
  },
};
