import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { limits } from '../limits.ts';
import type { RetryHint } from './quotas/overload.ts';

const hint: RetryHint = { retryAfterMs: limits.server.retryMs.value, limit: 'server' };

/** What instances share can't be used now. Clients are told to come back; why it is so stands in the log already, once. */
export class StoreFailure extends ProtocolError {
  override name = 'StoreFailure';

  constructor() {
    super(ErrorCode.InternalError, "Server busy: what its instances share can't be reached now; try again later", hint);
  }
}
