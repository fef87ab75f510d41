import type { Method } from '../method.ts';
import { uriOf } from './find.ts';

/** Serves `resources/unsubscribe`. */
export const unsubscribe: Method = {
  run(call) {
    call.exchange.session?.subscriptions.delete(uriOf(call));
    return {};
  },
};
