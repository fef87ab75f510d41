import { type Awaitable, mapAwaitable } from '../../../jsonrpc/awaitable.ts';
import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params, type RequestId } from '../../../jsonrpc/message.ts';
import { bytesOf } from '../../../jsonrpc/size.ts';
import { boundedInfo, checkCapabilities } from '../../../protocol/identity.ts';
import { type Meta, MetaKey } from '../../../protocol/meta.ts';
import type { Call, Method } from '../../call/call.ts';
import { contextOf } from '../../call/operation-context.ts';
import { type Listening, missingExtension } from '../../extension.ts';
import { type Change, isForPrincipal, notificationOf } from '../../change-feed.ts';
import type { Outcome } from '../../call/operation.ts';
import type { Requirement } from '../../define/access-rule.ts';
import { subscriptionBudgetError, toUriSet } from '../../subscriptions.ts';
import { findResource, secretsAt } from '../resources/find.ts';

/** The notifications that a client wants, or is granted. Extensions add members. */
interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** The subscription of a client while it listens. */
interface Subscription {
  readonly lists: Omit<Filter, 'resourceSubscriptions'>;
  readonly uris: ReadonlySet<string>;
  readonly added: Map<string, Listening>;
  /** The size that counts towards the limit of all subscriptions. */
  readonly bytes: number;
}

/** Serves `subscriptions/listen`: sends changes until the client cancels it or the server closes it. */
export const listen: Method = {
  run(call) {
    const tag = { [MetaKey.subscriptionId]: call.requestId as RequestId };
    const { notifications: wishes } = call.params;
    if (!isObject(wishes)) throw invalidParams('"notifications" must be an object: what to listen to');
    return mapAwaitable(grantExtensions(call, wishes), (added) => {
      const subscription = begin(call, tag, { wishes, added });
      // The request may be long, and the client may listen for days.
      const { params: _, ...rest } = call.received;
      call.shrink(rest);
      return keepOpen(call, subscription, tag);
    });
  },
};

/** Grants the supported part of the filter, and acknowledges it. */
function begin(
  call: Call,
  tag: Meta,
  { wishes, added }: { wishes: Params; added: Subscription['added'] },
): Subscription {
  // Copied because the subscription is long-lived.
  checkCapabilities(call.caller.capabilities, `_meta["${MetaKey.clientCapabilities}"]`);
  boundedInfo(call.caller.clientInfo, `_meta["${MetaKey.clientInfo}"]`);
  const { resourceSubscriptions = [], ...lists } = grantedOf(call, wishes);
  const { set: uris, bytes: ofUris } = toUriSet(resourceSubscriptions);
  if (call.server.catalog.isGuarded) call.server.access.require(call, requirementOf(call, uris));
  const bytes = ofUris + bytesOf(call.caller.capabilities) + bytesOf(call.caller.clientInfo);
  const overload = call.peer.usage?.overload('subscriptions', bytes);
  if (overload !== undefined) throw overload;
  if (!call.host.feed.subscriptionBudget.take(bytes)) throw subscriptionBudgetError();
  call.peer.usage?.take('subscriptions', bytes);

  const granted = Object.fromEntries(Array.from(added, ([member, listening]) => [member, listening.granted]));
  const notifications = { ...lists, ...(uris.size > 0 && { resourceSubscriptions }), ...granted };
  notify(call, tag, 'notifications/subscriptions/acknowledged', { notifications });
  return { lists, uris, added, bytes };
}

/** Notifies the client of changes until the call ends. */
async function keepOpen(call: Call, { lists, uris, added, bytes }: Subscription, tag: Meta): Promise<Outcome> {
  try {
    for (const listening of added.values()) listening.begin?.((method, params) => notify(call, tag, method, params));
    const leave = call.server.feed.join({
      matches(change) {
        if (change.kind === 'extension') return isSubscribed(change, added);
        const wanted = change.kind === 'resource' ? uris.has(change.uri) : lists[filterName[change.kind]] === true;
        return wanted && isForPrincipal(change, call.peer.auth?.principal) && mayReceive(call, change);
      },
      onChange: (change) => call.peer.send(notificationOf(change, { _meta: tag })),
      subscribedUris: () => uris,
    });
    await call.execution.keepOpen();
    leave();
  } finally {
    for (const listening of added.values()) listening.end?.();
    call.host.feed.subscriptionBudget.give(bytes);
    call.peer.usage?.release('subscriptions', bytes);
  }
  return { _meta: tag };
}

/** The combined requirement of all resources; undefined if none has one. */
function requirementOf(call: Call, uris: Iterable<string>): Requirement | undefined {
  const all = Array.from(uris, (uri) => findResource(call, uri)?.requirement()).filter((each) => each !== undefined);
  return all.length === 0 ? undefined : [...new Set(all.flat())];
}

/** The resource may have been added, hidden or removed since the client subscribed. */
function mayReceive(call: Call, change: Change): boolean {
  const { server, peer } = call;
  if (!server.catalog.isGuarded || change.kind !== 'resource') return true;
  if (!server.access.allows(peer, change.requirement) || secretsAt(call, change.uri).length > 0) return false;
  return server.access.allowsAt(peer, () => findResource(call, change.uri)?.requirement());
}

function notify(call: Call, tag: Meta, method: string, params: Params): void {
  call.peer.send({ jsonrpc: '2.0', method, params: { ...params, _meta: tag } });
}

const filterName = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Record<string, Exclude<keyof Filter, 'resourceSubscriptions'>>;

function grantedOf({ server }: Call, wishes: Params): Filter {
  const { resourceSubscriptions = [] } = wishes;
  if (!Array.isArray(resourceSubscriptions) || !resourceSubscriptions.every((uri) => typeof uri === 'string')) {
    throw invalidParams('"notifications.resourceSubscriptions" must be a list of addresses');
  }
  const filter: Filter = {};
  for (const kind of ['tools', 'prompts', 'resources'] as const) {
    if (
      wishes[filterName[kind]] === true &&
      server.capabilities.declared.listChanged &&
      server.capabilities.offers(kind)
    )
      filter[filterName[kind]] = true;
  }
  if (resourceSubscriptions.length > 0 && server.capabilities.offers('subscriptions'))
    filter.resourceSubscriptions = resourceSubscriptions;
  return filter;
}

/** The parts of the filter that extensions grant, by member. A member of an undeclared extension is rejected. */
function grantExtensions(call: Call, wishes: Params): Awaitable<Map<string, Listening>> {
  const granted = new Map<string, Listening>();
  const later: Promise<void>[] = [];
  for (const { id, listens = {} } of call.server.extensions.all) {
    for (const [member, start] of Object.entries(listens)) {
      if (!Object.hasOwn(wishes, member)) continue;
      if (!contextOf(call).supports(id)) throw missingExtension(`"notifications.${member}"`, id);
      const take = (listening: Listening | undefined): void => {
        if (listening !== undefined) granted.set(member, listening);
      };
      const listening = start(wishes[member], contextOf(call));
      if (listening instanceof Promise) later.push(listening.then(take));
      else take(listening);
    }
  }
  return later.length === 0 ? granted : Promise.all(later).then(() => granted);
}

function isSubscribed(
  { method, params }: Extract<Change, { kind: 'extension' }>,
  added: Map<string, Listening>,
): boolean {
  for (const listening of added.values()) if (listening.matches(method, params)) return true;
  return false;
}
