/** The `error` member of a JSON-RPC answer. */
export interface ErrorBody {
  code: number;
  message: string;
  data?: unknown;
}

/** The error codes this implementation sends. */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Before the handshake: any request but `ping` and `initialize`. */
  NotInitialized: -32002,
  /** Handshake revisions only; later ones say `InvalidParams`. */
  ResourceNotFound: -32002,
  HeaderMismatch: -32020,
  MissingClientCapability: -32021,
  UnsupportedVersion: -32022,
} as const;

/**
 * An error meant for the client program: it becomes a JSON-RPC error with this code, message and data.
 * A `cause` stays on our side, in the log.
 */
export class ProtocolError extends Error {
  override name = 'ProtocolError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  toBody(): ErrorBody {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** Creates the error for params that can't be used. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ErrorCode.InvalidParams, message, data);
}

/**
 * A server-to-client request that never reached the client, or can no longer be answered. The client did not reject it.
 */
export class NotAsked extends ProtocolError {
  override name = 'NotAsked';
}

/** Headers and body of an HTTP request disagree. */
export function headerMismatch(what: string): ProtocolError {
  return new ProtocolError(ErrorCode.HeaderMismatch, `Header mismatch: ${what}`);
}

/** Quotes the first 100 characters of a client's text for an error message. */
export function quoteBriefly(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** Truncates a client's text to 100 characters for an error message. */
export function brief(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`;
}
