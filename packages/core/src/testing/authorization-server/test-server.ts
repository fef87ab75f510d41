import type { IssuedToken } from './server-state.ts';
import type { Seen } from './http.ts';
import type { TokenWish } from './mint.ts';
import type { AuthEndpoint, AuthorizationServerSettings } from './settings.ts';

/** A test authorization server: validates requests like a real one, without a user. */
export interface TestAuthorizationServer extends AsyncDisposable {
  /** Its issuer, which is also its URL. */
  readonly issuer: string;
  /** Its behaviour. Changes apply at once. */
  readonly settings: AuthorizationServerSettings;
  /** Issues a token, valid or with a fault. */
  token(wish?: TokenWish): string;
  /** Revokes a token for introspection. */
  revoke(token: string): void;
  /** Rotates the signing keys; removes the old ones from the key set, unless `keepOld`. */
  rotate(options?: { keepOld?: boolean }): Promise<void>;
  /** The number of requests to an endpoint. */
  asked(endpoint: AuthEndpoint): number;
  /** Every request so far. */
  readonly seen: readonly Seen[];
  /** The issued tokens. */
  readonly tokens: Map<string, IssuedToken>;
  /** The requests to one path. */
  requests(path: string): Seen[];
  /** The forms sent to the token endpoint. */
  forms(): Record<string, string>[];
  /** The queries sent to the authorization endpoint. */
  questions(): Record<string, string>[];
  close(): Promise<void>;
}
