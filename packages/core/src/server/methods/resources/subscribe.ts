import type { Session } from '../../session.ts';
import { checkAddress } from '../../watch-list.ts';
import type { Method } from '../method.ts';
import { findResource, noSuchResource, uriOf } from './find.ts';

/** Serves `resources/subscribe`. */
export const subscribe: Method = {
  run(call) {
    const uri = uriOf(call);
    // What is watched is kept for as long as its client is there.
    checkAddress(uri);
    if (findResource(call, uri) === undefined) throw noSuchResource(uri);
    const { subscriptions } = call.exchange.session as Session;
    subscriptions.add(uri, call.host.feed.watched);
    return {};
  },
};
