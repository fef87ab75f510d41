import type { IssuedToken } from './server-state.ts';
import type { Seen } from './http.ts';
import type { TokenWish } from './mint.ts';
import type { AuthEndpoint, AuthorizationServerSettings } from './settings.ts';

/** An authorization server that checks what it is sent as a real one does, and asks no user. */
export interface TestAuthorizationServer extends AsyncDisposable {
  /** Its name, which is also its address. */
  readonly issuer: string;
  /** How it behaves. What is changed here counts from then on. */
  readonly settings: AuthorizationServerSettings;
  /** Makes a token: a good one, or one with whatever fault. */
  token(wish?: TokenWish): string;
  /** Takes a token back: introspection says so from then on. */
  revoke(token: string): void;
  /** Signs with new keys from now on; the old ones leave the key set, unless they are kept. */
  rotate(options?: { keepOld?: boolean }): Promise<void>;
  /** How often an endpoint was asked. */
  asked(endpoint: AuthEndpoint): number;
  /** Every request so far. */
  readonly seen: readonly Seen[];
  /** The tokens that it has issued. */
  readonly tokens: Map<string, IssuedToken>;
  /** The requests to one path. */
  requests(path: string): Seen[];
  /** The forms that its token endpoint got. */
  forms(): Record<string, string>[];
  /** The queries that its authorization endpoint got. */
  questions(): Record<string, string>[];
  close(): Promise<void>;
}
