import type { JsonWebKey } from 'node:crypto';
import type { Answer, Seen } from './http.ts';
import type { PublicJwk, TestAlgorithm } from './keys.ts';

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

/** The behaviour of a test authorization server. Changes apply at once. */
export interface AuthorizationServerSettings {
  /** The path of its issuer, such as `/tenant`. Default: none. */
  path?: string;
  /** Where its metadata is: forms, or paths of your own. Default: `['oauth', 'openid', 'openid-appended']`. */
  metadataAt?: readonly (MetadataForm | `/${string}`)[];
  /** Laid over its metadata; undefined removes a field. */
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
  /** Laid over what it says of tokens; undefined removes a field. */
  introspection?: Record<string, unknown>;
  /** Its DPoP support. Default: `accept`. */
  dpop?: 'off' | 'accept' | 'require';
  /** The nonce that proofs need. */
  dpopNonce?: string;
  /** An error response to authorization requests. */
  refuseUser?: Record<string, string>;
  /** The `iss` of its authorization responses; null omits it. */
  iss?: string | null;
  /** Laid over its answers to registrations. */
  registration?: Answer;
  /** Overrides responses to token requests, unless it returns undefined. */
  onToken?: (form: URLSearchParams, seen: Seen) => Answer | undefined | Promise<Answer | undefined>;
  /** Handles other paths. */
  otherwise?: (seen: Seen) => Answer;
}

/** Options of `authorizationServer`. */
export interface AuthorizationServerOptions extends AuthorizationServerSettings {
  /** The algorithms of its keys; the first is the default of tokens. Default: `['ES256']`. */
  algorithms?: readonly TestAlgorithm[];
  /** The port. Default: a free one. */
  port?: number;
}
