/** The connection is gone, or could not be made. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}

/** No answer came in time. */
export class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/** The server answered something that can't be used, such as output that does not fit the tool's schema. */
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

/** An HTTP server refused a message without saying why in the protocol's own terms. */
export class HttpError extends Error {
  override name = 'HttpError';
  /** The `WWW-Authenticate` header of a refusal: what credentials are wanted, or what is wrong with those sent. */
  readonly challenge: string | undefined;
  /** The beginning of the refusal's body. */
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

/** The server has forgotten the session: a new handshake is due. */
export class SessionLost extends Error {
  override name = 'SessionLost';
}
