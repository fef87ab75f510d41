import type { Session } from '../../session.ts';
import { demandScopes } from '../../scopes/check-scopes.ts';
import type { Method } from '../method.ts';
import { findResource, noSuchResource, scopesOfAddress, uriOf } from './find.ts';

/** Serves `resources/subscribe`. */
export const subscribe: Method = {
  scopes: scopesOfAddress,
  run(call) {
    const uri = uriOf(call);
    const found = findResource(call, uri);
    if (found === undefined) throw noSuchResource(call, uri);
    demandScopes(call, found.scopes());
    const { subscriptions } = call.exchange.session as Session;
    subscriptions.add(uri, call.host.feed.watched);
    return {};
  },
};
