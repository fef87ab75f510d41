import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { type RetryHint, retryMs } from './retry-later.ts';

const hint: RetryHint = { retryAfterMs: retryMs, limit: 'server' };

/** The shared store is unavailable. Clients are asked to retry; the cause was logged once. */
export class StoreFailure extends ProtocolError {
  override name = 'StoreFailure';

  constructor() {
    super(ErrorCode.InternalError, "Server busy: what its instances share can't be reached now; try again later", hint);
  }
}
