import type { TestKey } from './keys.ts';
import type { AuthorizationServerSettings, KnownClient } from './settings.ts';

/** What the server remembers of a token. */
export interface IssuedToken {
  scope: string;
  resource: string | null;
  /** What it says; without them the server only knows that it gave it. */
  claims?: Record<string, unknown>;
  revoked?: boolean;
}

/** What somebody was granted, for as long as refresh tokens of it are used. */
export interface Granted {
  client: string;
  subject: string;
  scope: string;
  resource: string | null;
  jkt: string | undefined;
}

/** A refresh token: one that was used shows that somebody has stolen it. */
export interface RefreshToken extends Granted {
  used: boolean;
  /** Those that came from one sign-in. */
  family: string;
}

/** What an authorization server knows. */
export interface ServerState {
  readonly settings: AuthorizationServerSettings;
  origin: string;
  /** In use, the newest of each algorithm last. */
  keys: readonly TestKey[];
  /** A key that is nobody's. */
  readonly foreign: TestKey;
  readonly tokens: Map<string, IssuedToken>;
  readonly refreshTokens: Map<string, RefreshToken>;
  readonly clients: Map<string, KnownClient>;
  readonly codes: Map<string, Record<string, string>>;
}

/** The server's name. */
export function issuerOf({ origin, settings }: ServerState): string {
  return `${origin}${settings.path ?? ''}`;
}
