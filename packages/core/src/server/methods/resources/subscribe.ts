import type { Session } from '../../session.ts';
import { findResource, noSuchResource, requirementAt, uriOf } from './find.ts';
import type { Method } from '../../call/call.ts';

/** Serves `resources/subscribe`. */
export const subscribe: Method = {
  requirement: requirementAt,
  run(call) {
    const uri = uriOf(call);
    const found = findResource(call, uri);
    if (found === undefined) throw noSuchResource(call, uri);
    call.server.access.require(call, found.requirement());
    const { subscriptions } = call.peer.session as Session;
    subscriptions.add(uri, call.host.feed.subscriptionBudget);
    call.host.feed.notifySubscribe([uri]);
    return {};
  },
};
