import type { Auth } from '../../server/exchange.ts';

/** What an authenticator sees of a request. */
export interface CredentialsRequest {
  /** Where the client's connection comes from, which may be a proxy; undefined where nobody says. */
  readonly address: string | undefined;
  /** A header by its lower-case name. Several of one name are joined by commas. */
  header(name: string): string | undefined;
}

/** Why a caller is not let in: the status, the text and the headers of the answer. */
export interface AuthRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Finds out who calls; a refusal says why not. */
export interface Authenticator {
  /** A header of its own in which callers prove who they are: browsers may send it. */
  readonly header?: string;
  authenticate(request: CredentialsRequest): Auth | AuthRefusal | Promise<Auth | AuthRefusal>;
}
