import { invalidParams } from '../../../jsonrpc/errors.ts';
import type { Session } from '../../session.ts';
import type { Method } from '../method.ts';
import { findResource, noSuchResource, uriOf } from './find.ts';
import { limits } from '../../../limits.ts';

/** How many resources one client may watch. */
export const maxSubscriptions: number = limits.server.subscriptions.value;

/** What is watched is kept for as long as its client is there. */
const maxLength = limits.server.watchedAddress.value;

/** Serves `resources/subscribe`. */
export const subscribe: Method = {
  run(call) {
    const uri = uriOf(call);
    const { subscriptions } = call.exchange.session as Session;
    if (uri.length > maxLength)
      throw invalidParams(`The address is too long to be watched: at most ${maxLength} characters`);
    if (findResource(call, uri) === undefined) throw noSuchResource(uri);
    if (subscriptions.size >= maxSubscriptions && !subscriptions.has(uri)) {
      throw invalidParams(`Too many subscriptions: at most ${maxSubscriptions} for one client`);
    }
    subscriptions.add(uri);
    return {};
  },
};
