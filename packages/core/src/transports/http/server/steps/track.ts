import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import { StoreFailure } from '../../../../server/store-failure.ts';
import { reject, retryLater } from '../answer/reject.ts';
import type { HttpContext } from '../endpoint/context.ts';
import type { Step } from './step.ts';

/** Counts a request as in flight until it is answered. Answers 503 where the store fails, and 500 for any other error. */
export const track: Step =
  (next) =>
  (context): Awaitable<void> => {
    const { inFlight } = context.endpoint;
    inFlight.count += 1;
    try {
      const serving = next(context);
      if (serving instanceof Promise) {
        return serving.catch((error: unknown) => fail(context, error)).finally(() => inFlight.end());
      }
    } catch (error) {
      fail(context, error);
    }
    inFlight.end();
  };

function fail(context: HttpContext, error: unknown): void {
  const { endpoint, message } = context;
  if (error instanceof StoreFailure) {
    const id = message?.kind === 'request' ? { id: message.message.id } : {};
    return reject(context, { ...retryLater(error), ...id });
  }
  endpoint.server.reportError('Unexpected error in an HTTP request', error);
  reject(context, { status: 500, message: 'Internal error', code: ErrorCode.InternalError });
}
