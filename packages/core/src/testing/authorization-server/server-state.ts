import type { TestKey } from './keys.ts';
import type { AuthorizationServerSettings, KnownClient } from './settings.ts';

/** An issued token. */
export interface IssuedToken {
  scope: string;
  resource: string | null;
  /** Its claims, if known. */
  claims?: Record<string, unknown>;
  revoked?: boolean;
}

/** A grant, with which tokens are refreshed. */
export interface Granted {
  client: string;
  subject: string;
  scope: string;
  resource: string | null;
  jkt: string | undefined;
}

/** A refresh token. Reuse indicates theft. */
export interface RefreshToken extends Granted {
  used: boolean;
  /** Identifies the sign-in. */
  family: string;
}

/** The state of an authorization server. */
export interface ServerState {
  readonly settings: AuthorizationServerSettings;
  origin: string;
  /** The current keys, the newest of each algorithm last. */
  keys: readonly TestKey[];
  /** A key outside of the key set. */
  readonly foreign: TestKey;
  readonly tokens: Map<string, IssuedToken>;
  readonly refreshTokens: Map<string, RefreshToken>;
  readonly clients: Map<string, KnownClient>;
  readonly codes: Map<string, Record<string, string>>;
}

/** The issuer. */
export function issuerOf({ origin, settings }: ServerState): string {
  return `${origin}${settings.path ?? ''}`;
}
