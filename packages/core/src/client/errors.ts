/** The connection was lost, or could not be made. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}

/** A request timed out. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/** The server's answer can't be used, for example output that does not match the tool's schema. */
export class ResultError extends Error {
  override name = 'ResultError';

  constructor(
    message: string,
    readonly result?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An HTTP server answered with an error status and no JSON-RPC error. */
export class HttpError extends Error {
  override name = 'HttpError';
  /** The `WWW-Authenticate` header. */
  readonly challenge: string | undefined;
  /** The beginning of the response body. */
  readonly said: string | undefined;

  constructor(
    readonly status: number,
    message: string,
    { challenge, said }: { challenge?: string | undefined; said?: string | undefined } = {},
  ) {
    super(message);
    this.challenge = challenge;
    this.said = said;
  }
}

/** The server dropped the session: a new handshake is needed. */
export class SessionLost extends Error {
  override name = 'SessionLost';
}
