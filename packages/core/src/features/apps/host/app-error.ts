import { ErrorCode, ProtocolError, quoteBriefly } from '../../../jsonrpc/errors.ts';

const deniedCode = -32_000;

/** The host rejects this: by a rule, or because the person declined. */
export function deniedError(message: string): ProtocolError {
  return new ProtocolError(deniedCode, message);
}

/** The host does not offer this method. */
export function notOfferedError(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `This host does not offer ${quoteBriefly(method)}`);
}

/** Why a view is not shown, or no longer. */
export type AppProblem =
  /** Its document can't be read, or is invalid. */
  | 'page'
  /** The person or the host declined. */
  | 'declined'
  /** The sandbox does not respond. */
  | 'sandbox'
  /** The view never sent `ui/initialize`. */
  | 'initialize'
  /** It sends too many messages. */
  | 'flood'
  /** It does not answer pings. */
  | 'unresponsive'
  /** It answers again. */
  | 'responsive'
  /** Its size requests are ignored from now on. */
  | 'size'
  /** It sent an invalid or forbidden message. */
  | 'message'
  /** It takes the focus from a person who types in the page. */
  | 'focus'
  /** Its frame navigated away. */
  | 'left'
  /** It was closed. */
  | 'closed';

/** A problem with a view, worded for its author. */
export class AppError extends Error {
  override name = 'AppError';

  constructor(
    readonly problem: AppProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Converts any error from opening a view. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('page', error instanceof Error ? error.message : String(error), { cause: error });
}
