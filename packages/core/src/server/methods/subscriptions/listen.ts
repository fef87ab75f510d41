import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params, type RequestId } from '../../../jsonrpc/message.ts';
import { MetaKey } from '../../../protocol/meta.ts';
import type { Call } from '../../call.ts';
import { type Change, notificationOf } from '../../feed.ts';
import type { Method } from '../method.ts';
import { maxSubscriptions } from '../resources/subscribe.ts';

/** What a client wants to hear, or what of that it will. */
interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** Lasts until the client cancels it or the server closes it; what happens meanwhile is told as it happens. */
export const listen: Method = {
  async run(call) {
    const filter = honoured(call);
    const uris = new Set(filter.resourceSubscriptions);
    const tag = { [MetaKey.subscriptionId]: call.requestId as RequestId };
    const send = (method: string, params: Params): void => call.exchange.send({ jsonrpc: '2.0', method, params });

    send('notifications/subscriptions/acknowledged', { notifications: filter, _meta: tag });
    const leave = call.server.feed.join({
      hears: (change) => (change.kind === 'resource' ? uris.has(change.uri) : filter[filterName[change.kind]] === true),
      tell: (change) => call.exchange.send(notificationOf(change, { _meta: tag })),
    });
    await call.stand();
    leave();
    return { _meta: tag };
  },
};

const filterName = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<Exclude<Change['kind'], 'resource'>, keyof Filter>;

function honoured({ params, server }: Call): Filter {
  const { notifications } = params;
  if (!isObject(notifications)) throw invalidParams('"notifications" must be an object: what to listen to');
  const { resourceSubscriptions = [] } = notifications;
  if (!Array.isArray(resourceSubscriptions) || !resourceSubscriptions.every((uri) => typeof uri === 'string')) {
    throw invalidParams('"notifications.resourceSubscriptions" must be a list of addresses');
  }
  if (resourceSubscriptions.length > maxSubscriptions) {
    throw invalidParams(`Too many subscriptions: at most ${maxSubscriptions} for one request`);
  }
  const filter: Filter = {};
  for (const kind of ['tools', 'prompts', 'resources'] as const) {
    if (notifications[filterName[kind]] === true && server.offers(kind)) filter[filterName[kind]] = true;
  }
  if (resourceSubscriptions.length > 0 && server.offers('resources'))
    filter.resourceSubscriptions = resourceSubscriptions;
  return filter;
}
