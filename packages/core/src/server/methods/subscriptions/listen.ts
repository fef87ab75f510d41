import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params, type RequestId } from '../../../jsonrpc/message.ts';
import { MetaKey } from '../../../protocol/meta.ts';
import type { Call } from '../../call.ts';
import type { Listening } from '../../extension.ts';
import { type Change, notificationOf } from '../../feed.ts';
import { missingExtension } from '../../missing-extension.ts';
import type { Method } from '../method.ts';
import { maxSubscriptions } from '../resources/subscribe.ts';

/** What a client wants to hear, or what of that it will. Extensions add members. */
interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** Serves `subscriptions/listen`: tells of changes until the client cancels it or the server closes it. */
export const listen: Method = {
  async run(call) {
    const { notifications: wishes } = call.params;
    if (!isObject(wishes)) throw invalidParams('"notifications" must be an object: what to listen to');
    const filter = grantedOf(call, wishes);
    const added = addedBy(call, wishes);
    const uris = new Set(filter.resourceSubscriptions);
    const tag = { [MetaKey.subscriptionId]: call.requestId as RequestId };
    const send = (method: string, params: Params): void => {
      call.exchange.send({ jsonrpc: '2.0', method, params: { ...params, _meta: tag } });
    };

    const granted = Object.fromEntries(Array.from(added, ([member, listening]) => [member, listening.granted]));
    send('notifications/subscriptions/acknowledged', { notifications: { ...filter, ...granted } });
    for (const listening of added.values()) listening.begin?.(send);
    const leave = call.server.feed.join({
      hears(change) {
        if (change.kind === 'resource') return uris.has(change.uri);
        if (change.kind === 'extension') return isHeard(change, added);
        return filter[filterName[change.kind]] === true;
      },
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
} as const satisfies Record<string, keyof Filter>;

function grantedOf({ server }: Call, wishes: Params): Filter {
  const { resourceSubscriptions = [] } = wishes;
  if (!Array.isArray(resourceSubscriptions) || !resourceSubscriptions.every((uri) => typeof uri === 'string')) {
    throw invalidParams('"notifications.resourceSubscriptions" must be a list of addresses');
  }
  if (resourceSubscriptions.length > maxSubscriptions) {
    throw invalidParams(`Too many subscriptions: at most ${maxSubscriptions} for one request`);
  }
  const filter: Filter = {};
  for (const kind of ['tools', 'prompts', 'resources'] as const) {
    if (wishes[filterName[kind]] === true && server.offers(kind)) filter[filterName[kind]] = true;
  }
  if (resourceSubscriptions.length > 0 && server.offers('resources'))
    filter.resourceSubscriptions = resourceSubscriptions;
  return filter;
}

/** What extensions grant of the wishes, by member. A wish that needs an undeclared extension is refused. */
function addedBy(call: Call, wishes: Params): Map<string, Listening> {
  const granted = new Map<string, Listening>();
  for (const { id, listens = {} } of call.server.extensions.all) {
    for (const [member, start] of Object.entries(listens)) {
      if (!Object.hasOwn(wishes, member)) continue;
      if (!call.supports(id)) throw missingExtension(`"notifications.${member}"`, id);
      const listening = start(wishes[member], call);
      if (listening !== undefined) granted.set(member, listening);
    }
  }
  return granted;
}

function isHeard({ method, params }: Extract<Change, { kind: 'extension' }>, added: Map<string, Listening>): boolean {
  for (const listening of added.values()) if (listening.hears(method, params)) return true;
  return false;
}
