import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Auth } from '../../server/peer.ts';
import type { Store } from '../../stores/store.ts';

/** The request, as an authenticator sees it. */
export interface CredentialsRequest {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The remote address of the connection, which may be a proxy; undefined if unknown. */
  readonly address: string | undefined;
  /** Identifies the connection; absent if unknown. Only for comparison. */
  readonly connection?: object | undefined;
  /** A header by its lower-case name, trimmed. Several of one name are joined by commas. */
  header(name: string): string | undefined;
}

/** A rejection: the status, message and headers of the response. */
export interface AuthRejection {
  readonly status: number;
  readonly message: string;
  /** A list adds one header per value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The JSON body. Default: a JSON-RPC error with the message. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The scopes an operation needs, and the caller who lacks them, if known. */
export interface NeededScopes {
  /** All scopes the operation needs; empty if only authentication is missing. */
  readonly needed: readonly string[];
  readonly caller: Auth | undefined;
}

/** The endpoint of an authenticator. */
export interface ProtectedEndpoint {
  /** Its public URL, from the option `resource`. */
  readonly resource: string | undefined;
  /** The local path. */
  readonly path: string;
  /** The granted scopes that this server uses: a challenge lists them, so that clients keep them. */
  relevantScopes?(granted: readonly string[]): readonly string[];
  /** The shared store. */
  readonly store: Pick<Store, 'claim'>;
  /** Writes to the server's log. */
  log(level: 'info' | 'warning' | 'error', text: string): void;
}

/** A public document, such as resource metadata. */
export interface PublicDocument {
  /** The full path. */
  readonly path: string;
  /** Default: `application/json`. */
  readonly mediaType?: string;
  /** Its JSON, or a rejection if it is unavailable. */
  read(): Awaitable<{ readonly json: string } | AuthRejection>;
}

/** Authenticates callers. */
export interface Authenticator {
  /** The credential headers, which CORS allows. */
  readonly header?: string | readonly string[];
  /** True allows anonymous callers. */
  readonly anonymous?: boolean;
  /** How long streams of a caller may continue after `expiresAt`, in milliseconds. Default: 0. */
  readonly leewayMs?: number;
  /** Public documents to serve beside the endpoint. */
  readonly documents?: readonly PublicDocument[];
  /** Returns the caller or a final rejection; undefined if the request has no credentials of this kind. */
  authenticate(request: CredentialsRequest): Awaitable<Auth | AuthRejection | undefined>;
  /**
   * Creates the rejection for missing scopes: 401 without a caller, 403 with one. Default: a response without a
   * challenge.
   */
  challenge?(request: CredentialsRequest, missing: NeededScopes): AuthRejection;
  /** Whether the client expects a challenge as an HTTP response or in a tool result. */
  form?(request: CredentialsRequest): 'http' | 'result';
  /** Headers for responses to authenticated callers. */
  answerHeaders?(request: CredentialsRequest): Readonly<Record<string, string>> | undefined;
  /** Creates the authenticator of one endpoint; called once per endpoint. Default: shared. */
  at?(endpoint: ProtectedEndpoint): Authenticator;
}

/** Creates the rejection for missing scopes, by the authenticator's `challenge` if it has one. */
export function challengeBy(auth: Authenticator, request: CredentialsRequest, missing: NeededScopes): AuthRejection {
  const rejection = auth.challenge?.(request, missing);
  if (rejection !== undefined) return rejection;
  if (missing.caller === undefined) return { status: 401, message: 'The request must be authenticated' };
  return { status: 403, message: `This needs the scopes ${missing.needed.join(' ')}` };
}
