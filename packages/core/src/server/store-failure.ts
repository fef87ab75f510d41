import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { type RetryHint, retryMs } from './retry-later.ts';

const hint: RetryHint = { retryAfterMs: retryMs, limit: 'server' };

/** The shared store is unavailable. Clients are asked to retry; the cause was logged once. */
export class StoreFailure extends ProtocolError {
  override name = 'StoreFailure';

  constructor() {
    super(ErrorCode.InternalError, 'Server busy: its shared store is unavailable; try again later', hint);
  }
}
