import { ErrorCode, ProtocolError, quotedBriefly } from '../../../jsonrpc/errors.ts';

const deniedCode = -32_000;

/** The host does not do this: by a rule, or because somebody said no. */
export function deniedError(message: string): ProtocolError {
  return new ProtocolError(deniedCode, message);
}

/** The host does not offer this at all. */
export function notOfferedError(method: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, `This host does not offer ${quotedBriefly(method)}`);
}

/** Why a view is not shown, or no longer. */
export type AppProblem =
  /** Its document can't be read, or is none. */
  | 'page'
  /** The person or the host said no. */
  | 'declined'
  /** The sandbox does not answer. */
  | 'sandbox'
  /** The view never sent `ui/initialize`. */
  | 'initialize'
  /** It sends too much. */
  | 'flood'
  /** It answers no ping. */
  | 'unresponsive'
  /** It answers again. */
  | 'responsive'
  /** Its size is followed no more. */
  | 'size'
  /** A message that it may not send, or that is none. */
  | 'message'
  /** It takes the focus from somebody who is typing in the page. */
  | 'focus'
  /** Its frame shows something else now. */
  | 'left'
  /** It was closed. */
  | 'closed';

/** What went wrong with a view, in words for whoever wrote it. */
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

/** Whatever was thrown while a view was opened, as such an error. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('page', error instanceof Error ? error.message : String(error), { cause: error });
}
