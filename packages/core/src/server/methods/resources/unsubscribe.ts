import { uriOf } from './find.ts';
import type { Method } from '../../call/call.ts';

/** Serves `resources/unsubscribe`. */
export const unsubscribe: Method = {
  run(call) {
    call.peer.session?.subscriptions.delete(uriOf(call));
    return {};
  },
};
