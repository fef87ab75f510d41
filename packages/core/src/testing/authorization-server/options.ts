import type { JsonWebKey } from 'node:crypto';
import type { Answer, RecordedRequest } from './http.ts';
import type { PublicJwk, TestAlgorithm, TestKey } from './jwt.ts';
import type { TokenFault } from './token-faults.ts';

/** A registered client or resource server. */
export interface KnownClient {
  id: string;
  secret?: string;
  /** Default: any. */
  method?: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  /** The public key of its assertions. */
  publicKey?: JsonWebKey;
  /** The allowed redirect URIs. Default: any. */
  redirectUris?: readonly string[];
}

/** The endpoints of the server. */
export type AuthEndpoint =
  | 'metadata'
  | 'jwks'
  | 'authorization'
  | 'token'
  | 'introspection'
  | 'registration'
  /** Foreign keys, to which malicious tokens refer. Must never be requested. */
  | 'foreignKeys';

/** A simulated outage: closed connection, no response, status 503, invalid JSON, endless body, or redirect. */
export type Outage = 'down' | 'slow' | 'error' | 'garbage' | 'endless' | 'redirect';

/** The well-known locations of metadata: of OAuth, of OpenID, and of OpenID for issuers with a path. */
export type MetadataForm = 'oauth' | 'openid' | 'openid-appended';

/** The behaviour of a test authorization server. Changes take effect immediately. */
export interface AuthorizationServerSettings {
  /** The path of its issuer, such as `/tenant`. Default: none. */
  path?: string;
  /** Where its metadata is: forms, or paths of your own. Default: `['oauth', 'openid', 'openid-appended']`. */
  metadataAt?: readonly (MetadataForm | `/${string}`)[];
  /** Overrides fields of its metadata; undefined removes one. */
  metadata?: Record<string, unknown>;
  /** Modifies the published key set. */
  keySet?: (keys: readonly PublicJwk[]) => unknown;
  /** Simulated outages, of all or some endpoints. */
  outage?: Outage | Partial<Record<AuthEndpoint, Outage>> | undefined;
  /** Whether it issues JWTs or opaque tokens. Default: `jwt`. */
  tokens?: 'jwt' | 'opaque';
  /** The user of its tokens. Default: `user-1`. */
  subject?: string;
  /** The lifetime of its tokens in seconds; null omits it. Default: an hour. */
  lifetime?: number | null;
  /** Whether it issues refresh tokens, each for one use. Default: true. */
  refreshTokens?: boolean;
  /** Preregistered clients. */
  clients?: readonly KnownClient[];
  /** The clients that may introspect tokens. Default: `resource-server`, whose secret is `secret`. */
  resourceServers?: readonly KnownClient[];
  /** Overrides fields of its introspection responses; undefined removes one. */
  introspection?: Record<string, unknown>;
  /** Its DPoP support. Default: `accept`. */
  dpop?: 'off' | 'accept' | 'require';
  /** The nonce that proofs need. */
  dpopNonce?: string;
  /** An error response to authorization requests. */
  denyUser?: Record<string, string>;
  /** The `iss` of its authorization responses; null omits it. */
  iss?: string | null;
  /** Overrides its responses to registrations. */
  registration?: Answer;
  /** Overrides responses to token requests, unless it returns undefined. */
  onToken?: (form: URLSearchParams, seen: RecordedRequest) => Answer | undefined | Promise<Answer | undefined>;
  /** Handles other paths. */
  otherwise?: (seen: RecordedRequest) => Answer;
}

/** Options of `authorizationServer`. */
export interface AuthorizationServerOptions extends AuthorizationServerSettings {
  /** The algorithms of its keys; the first is the default of tokens. Default: `['ES256']`. */
  algorithms?: readonly TestAlgorithm[];
  /** The port. Default: a free one. */
  port?: number;
}

/** The claims in which providers put scopes: a string, another string or list, or Auth0's permissions. */
export type ScopeClaim = 'scope' | 'scp' | 'scp-list' | 'permissions';

/** The properties of a requested token. */
export interface TokenWish {
  /** Its audience. */
  audience?: string | readonly string[];
  /** Default: the server's user. */
  subject?: string;
  /** Default: `client-1`. */
  clientId?: string;
  scopes?: readonly string[];
  /** Where its scopes are. Default: `scope`. */
  scopeClaim?: ScopeClaim;
  /** In seconds; negative for an expired token. Default: as the server's tokens. */
  lifetime?: number;
  /** The thumbprint of the key to bind it to. */
  boundTo?: string;
  /** Overrides its claims; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Overrides its header; undefined removes a field. */
  header?: Record<string, unknown>;
  algorithm?: TestAlgorithm;
  /** A fault to apply. */
  fault?: TokenFault;
  /** Whether it is opaque. Default: as the server's tokens. */
  opaque?: boolean;
}

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

/** A test authorization server: validates requests like a real one, without a user. */
export interface TestAuthorizationServer extends AsyncDisposable {
  /** Its issuer, which is also its URL. */
  readonly issuer: string;
  /** Its behaviour. Changes take effect immediately. */
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
  readonly seen: readonly RecordedRequest[];
  /** The issued tokens. */
  readonly tokens: Map<string, IssuedToken>;
  /** The requests to one path. */
  requests(path: string): RecordedRequest[];
  /** The forms sent to the token endpoint. */
  forms(): Record<string, string>[];
  /** The queries sent to the authorization endpoint. */
  questions(): Record<string, string>[];
  close(): Promise<void>;
}
