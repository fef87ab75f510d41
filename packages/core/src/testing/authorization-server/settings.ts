import type { JsonWebKey } from 'node:crypto';
import type { Answer, Seen } from './http.ts';
import type { PublicJwk, TestAlgorithm } from './keys.ts';

/** A client, or a resource server, as the authorization server knows it. */
export interface KnownClient {
  id: string;
  secret?: string;
  /** Default: as it shows itself. */
  method?: 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  /** The public half of the key that it signs assertions with. */
  publicKey?: JsonWebKey;
  /** Where it may be sent back to. Default: anywhere. */
  redirectUris?: readonly string[];
}

/** What the server can be asked for. */
export type AuthEndpoint =
  | 'metadata'
  | 'jwks'
  | 'authorization'
  | 'token'
  | 'introspection'
  | 'registration'
  /** Where keys of somebody else are, for tokens that lead there. Nobody should ask. */
  | 'foreignKeys';

/** How the server fails: hangs up, stays silent, answers with 503, with no JSON, without end, or with a redirect. */
export type Outage = 'down' | 'slow' | 'error' | 'garbage' | 'endless' | 'redirect';

/** Where metadata can be: as the OAuth standard says, as OpenID has it, and as OpenID has it for issuers with a path. */
export type MetadataForm = 'oauth' | 'openid' | 'openid-appended';

/** How an authorization server for tests behaves. What is changed later counts from then on. */
export interface AuthorizationServerSettings {
  /** The path of its issuer, such as `/tenant`. Default: none. */
  path?: string;
  /** Where its metadata is: forms, or paths of your own. Default: `['oauth', 'openid', 'openid-appended']`. */
  metadataAt?: readonly (MetadataForm | `/${string}`)[];
  /** Laid over its metadata; undefined removes a field. */
  metadata?: Record<string, unknown>;
  /** Changes its key set before it is given out. */
  keySet?: (keys: readonly PublicJwk[]) => unknown;
  /** What fails: everything, or some endpoints. */
  outage?: Outage | Partial<Record<AuthEndpoint, Outage>> | undefined;
  /** Whether its tokens are JWTs, or mean something to itself alone. Default: `jwt`. */
  tokens?: 'jwt' | 'opaque';
  /** The user in whose name it issues tokens. Default: `user-1`. */
  subject?: string;
  /** How many seconds its tokens live; null: it does not say. Default: an hour. */
  lifetime?: number | null;
  /** Whether it gives refresh tokens, each good for one use. Default: true. */
  refreshTokens?: boolean;
  /** The clients that it knows beside those that register. */
  clients?: readonly KnownClient[];
  /** Who may ask it about tokens. Default: `resource-server`, whose secret is `secret`. */
  resourceServers?: readonly KnownClient[];
  /** Laid over what it says of tokens; undefined removes a field. */
  introspection?: Record<string, unknown>;
  /** Whether it binds tokens to keys of clients that show one. Default: `accept`. */
  dpop?: 'off' | 'accept' | 'require';
  /** What it wants to find in proofs. */
  dpopNonce?: string;
  /** What it answers to an authorization request instead of a code. */
  refuseUser?: Record<string, string>;
  /** What `iss` is in its authorization responses; null leaves it out. */
  iss?: string | null;
  /** Laid over its answers to registrations. */
  registration?: Answer;
  /** Answers token requests in its place, where it gives something. */
  onToken?: (form: URLSearchParams, seen: Seen) => Answer | undefined | Promise<Answer | undefined>;
  /** Answers to paths that are not its own. */
  otherwise?: (seen: Seen) => Answer;
}

/** What is fixed when the server starts. */
export interface AuthorizationServerOptions extends AuthorizationServerSettings {
  /** The algorithms that it has keys for; the first signs unless a token is asked for with another. Default: `['ES256']`. */
  algorithms?: readonly TestAlgorithm[];
  /** The port to listen on. Default: a free one. */
  port?: number;
}
