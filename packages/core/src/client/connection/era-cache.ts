import { limits } from '../../limits.ts';

/** An old server may be replaced by a new one, and nothing would tell. */
const lifetimeMs = limits.client.rememberMs.value;
const mostKept = limits.client.rememberedServers.value;

/** Which servers were found to have only the handshake era, by their endpoint: asks them nothing newer for a while. */
export class RememberedEras {
  /** When each memory ends; the oldest first. */
  readonly #handshakeUntil = new Map<string, number>();

  isHandshake(endpoint: string | undefined): boolean {
    const until = endpoint === undefined ? undefined : this.#handshakeUntil.get(endpoint);
    return until !== undefined && until > performance.now();
  }

  rememberHandshake(endpoint: string | undefined): void {
    if (endpoint === undefined) return;
    this.#handshakeUntil.delete(endpoint);
    const [oldest] = this.#handshakeUntil.keys();
    if (this.#handshakeUntil.size >= mostKept) this.#handshakeUntil.delete(oldest as string);
    this.#handshakeUntil.set(endpoint, performance.now() + lifetimeMs);
  }

  forget(endpoint: string | undefined): void {
    if (endpoint !== undefined) this.#handshakeUntil.delete(endpoint);
  }
}

/** What all clients of this process have found out. */
export const rememberedEras: RememberedEras = new RememberedEras();
