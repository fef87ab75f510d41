import type { Awaitable } from '../../jsonrpc/awaitable.ts';
import type { Auth } from '../../server/exchange.ts';
import type { Store } from '../../stores/store.ts';

/** What an authenticator sees of a request. */
export interface CredentialsRequest {
  /** The HTTP method, in capitals. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** Where the client's connection comes from, which may be a proxy; undefined where nobody says. */
  readonly address: string | undefined;
  /** The same for all requests of one connection, and for no others; absent where nobody can tell. Only to be compared. */
  readonly connection?: object | undefined;
  /** A header by its lower-case name. Several of one name are joined by commas. */
  header(name: string): string | undefined;
}

/** Why a caller is not let in: the status, the text and the headers of the answer. */
export interface AuthRefusal {
  readonly status: number;
  readonly message: string;
  /** A list makes a line for each of its values. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The answer's JSON. Default: a JSON-RPC error with the message. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An operation that its caller may not do: what it needs, and who the caller is, if that is known. */
export interface NeededScopes {
  /** All scopes that the operation needs; none where nobody is served without credentials. */
  readonly needed: readonly string[];
  readonly caller: Auth | undefined;
}

/** The endpoint that an authenticator is for. */
export interface ProtectedEndpoint {
  /** Its public address, as the option `resource` says. */
  readonly resource: string | undefined;
  /** The path at which it is served here. */
  readonly path: string;
  /** Those of a caller's scopes that this server asks for somewhere: a challenge names them, so that no client loses them. */
  relevantScopes?(granted: readonly string[]): readonly string[];
  /** What instances of the server share. */
  readonly store: Pick<Store, 'claim'>;
  /** Writes to the server's log. */
  log(level: 'info' | 'warning' | 'error', text: string): void;
}

/** A document that is served to everybody, such as where to get tokens. */
export interface AuthDocument {
  /** Where it is served: the whole path. */
  readonly path: string;
  /** Its JSON; a refusal where there is none now. */
  read(): Awaitable<{ readonly json: string } | AuthRefusal>;
}

/** Finds out who calls; a refusal says why not. */
export interface Authenticator {
  /** Headers in which callers prove who they are: browsers may send them. */
  readonly header?: string | readonly string[];
  /** True: who sends no credentials is served too, as nobody. */
  readonly anonymous?: boolean;
  /** For how long after their `expiresAt` the streams of a caller may go on, in milliseconds. Default: 0. */
  readonly leewayMs?: number;
  /** What is served to everybody beside the endpoint. */
  readonly documents?: readonly AuthDocument[];
  /** Who sends this request; a refusal is final. Undefined: it carries no credentials of this kind. */
  authenticate(request: CredentialsRequest): Awaitable<Auth | AuthRefusal | undefined>;
  /**
   * Refuses an operation whose scopes the caller lacks: with 401 where there is no caller, and with 403 where there is one.
   * Default: an answer that names no way to get them.
   */
  challenge?(request: CredentialsRequest, lacking: NeededScopes): AuthRefusal;
  /** In which form the host behind this request understands a challenge: as an HTTP answer, or in a tool's result. */
  form?(request: CredentialsRequest): 'http' | 'result';
  /** Headers that the answers to a caller who was let in carry. */
  answerHeaders?(request: CredentialsRequest): Readonly<Record<string, string>> | undefined;
  /** Makes the authenticator of one endpoint; called once by each that uses it. Default: one serves all. */
  at?(endpoint: ProtectedEndpoint): Authenticator;
}

/** Refuses an operation whose scopes the caller lacks, in the words of the authenticator where it has some. */
export function challengeBy(auth: Authenticator, request: CredentialsRequest, lacking: NeededScopes): AuthRefusal {
  const refusal = auth.challenge?.(request, lacking);
  if (refusal !== undefined) return refusal;
  if (lacking.caller === undefined) return { status: 401, message: 'Who calls must say who they are' };
  return { status: 403, message: `This needs the scopes ${lacking.needed.join(' ')}` };
}
