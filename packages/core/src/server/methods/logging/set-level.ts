import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isLogLevel, logLevels } from '../../../protocol/logging.ts';
import type { Session } from '../../session.ts';
import type { Method } from '../../call/call.ts';

/** Serves `logging/setLevel`. */
export const setLevel: Method = {
  run(call) {
    const { level } = call.params;
    if (!isLogLevel(level)) throw invalidParams(`"level" must be one of ${logLevels.join(', ')}`);
    (call.peer.session as Session).logLevel = level;
    return {};
  },
};
