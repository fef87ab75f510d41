import { type Awaitable, whenThere } from '../../../jsonrpc/awaitable.ts';
import { invalidParams } from '../../../jsonrpc/errors.ts';
import { isObject, type Params, type RequestId } from '../../../jsonrpc/message.ts';
import { bytesOf } from '../../../jsonrpc/size.ts';
import { boundedInfo, checkCapabilities } from '../../../protocol/client-identity.ts';
import { type Meta, MetaKey } from '../../../protocol/meta.ts';
import type { Call } from '../../call/call.ts';
import type { Listening } from '../../extension.ts';
import { type Change, concerns, notificationOf } from '../../change-feed.ts';
import { missingExtension } from '../../extension.ts';
import type { Outcome } from '../../call/operation.ts';
import { overload } from '../../quotas/overload.ts';
import { allScopes } from '../../scopes/scope-rule.ts';
import { demandScopes, hasScopes, hasScopesAt } from '../../scopes/check-scopes.ts';
import { noRoom, watchedSet } from '../../subscriptions.ts';
import type { Method } from '../method.ts';
import { findResource, secretsAt } from '../resources/find.ts';

/** What a client wants to hear, or what of that it will. Extensions add members. */
interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

/** What a client hears of, as it is kept while it listens. */
interface Heard {
  readonly lists: Omit<Filter, 'resourceSubscriptions'>;
  readonly uris: ReadonlySet<string>;
  readonly added: Map<string, Listening>;
  /** What it takes of what all clients may watch. */
  readonly bytes: number;
}

/** Serves `subscriptions/listen`: tells of changes until the client cancels it or the server closes it. */
export const listen: Method = {
  run(call) {
    const tag = { [MetaKey.subscriptionId]: call.requestId as RequestId };
    const { notifications: wishes } = call.params;
    if (!isObject(wishes)) throw invalidParams('"notifications" must be an object: what to listen to');
    return whenThere(addedBy(call, wishes), (added) => {
      const heard = begin(call, tag, { wishes, added });
      // The request may be long, and the client may listen for days.
      call.forgetParams();
      return standing(call, heard, tag);
    });
  },
};

/** Grants what there is of the wishes, and says so. */
function begin(call: Call, tag: Meta, { wishes, added }: { wishes: Params; added: Heard['added'] }): Heard {
  // Other requests are over soon; only here it is kept what a client says of itself.
  checkCapabilities(call.clientCapabilities, `_meta["${MetaKey.clientCapabilities}"]`);
  boundedInfo(call.clientInfo, `_meta["${MetaKey.clientInfo}"]`);
  const { resourceSubscriptions = [], ...lists } = grantedOf(call, wishes);
  const { set: uris, bytes: ofUris } = watchedSet(resourceSubscriptions);
  if (call.server.scoped) demandScopes(call, allScopes(Array.from(uris, (uri) => findResource(call, uri)?.scopes())));
  const bytes = ofUris + bytesOf(call.clientCapabilities) + bytesOf(call.clientInfo);
  const full = call.exchange.usage?.full('watched', bytes);
  if (full !== undefined) throw overload(full, 'watched');
  if (!call.host.feed.watched.take(bytes)) throw noRoom();
  call.exchange.usage?.take('watched', bytes);

  const granted = Object.fromEntries(Array.from(added, ([member, listening]) => [member, listening.granted]));
  const notifications = { ...lists, ...(uris.size > 0 && { resourceSubscriptions }), ...granted };
  tell(call, tag, 'notifications/subscriptions/acknowledged', { notifications });
  return { lists, uris, added, bytes };
}

/** Tells of changes until the call is over. */
async function standing(call: Call, { lists, uris, added, bytes }: Heard, tag: Meta): Promise<Outcome> {
  try {
    for (const listening of added.values()) listening.begin?.((method, params) => tell(call, tag, method, params));
    const leave = call.server.feed.join({
      hears(change) {
        if (change.kind === 'extension') return isHeard(change, added);
        const wanted = change.kind === 'resource' ? uris.has(change.uri) : lists[filterName[change.kind]] === true;
        return wanted && concerns(change, call.auth?.principal) && mayHear(call, change);
      },
      tell: (change) => call.exchange.send(notificationOf(change, { _meta: tag })),
      watched: () => uris,
    });
    await call.stand();
    leave();
  } finally {
    for (const listening of added.values()) listening.end?.();
    call.host.feed.watched.give(bytes);
    call.exchange.usage?.release('watched', bytes);
  }
  return { _meta: tag };
}

/** What is watched may not have been there when the client began to listen, or not with these scopes, or may just have gone. */
function mayHear(call: Call, change: Change): boolean {
  if (!call.server.scoped || change.kind !== 'resource') return true;
  const { exchange } = call;
  if (!hasScopes(exchange, change.scopes) || secretsAt(call, change.uri).length > 0) return false;
  return hasScopesAt(exchange, () => findResource(call, change.uri)?.scopes());
}

function tell(call: Call, tag: Meta, method: string, params: Params): void {
  call.exchange.send({ jsonrpc: '2.0', method, params: { ...params, _meta: tag } });
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
    if (wishes[filterName[kind]] === true && server.declared.listChanged && server.offers(kind))
      filter[filterName[kind]] = true;
  }
  if (resourceSubscriptions.length > 0 && server.offers('subscriptions'))
    filter.resourceSubscriptions = resourceSubscriptions;
  return filter;
}

/** What extensions grant of the wishes, by member. A wish that needs an undeclared extension is refused. */
function addedBy(call: Call, wishes: Params): Awaitable<Map<string, Listening>> {
  const granted = new Map<string, Listening>();
  const later: Promise<void>[] = [];
  for (const { id, listens = {} } of call.server.extensions.all) {
    for (const [member, start] of Object.entries(listens)) {
      if (!Object.hasOwn(wishes, member)) continue;
      if (!call.supports(id)) throw missingExtension(`"notifications.${member}"`, id);
      const take = (listening: Listening | undefined): void => {
        if (listening !== undefined) granted.set(member, listening);
      };
      const listening = start(wishes[member], call);
      if (listening instanceof Promise) later.push(listening.then(take));
      else take(listening);
    }
  }
  return later.length === 0 ? granted : Promise.all(later).then(() => granted);
}

function isHeard({ method, params }: Extract<Change, { kind: 'extension' }>, added: Map<string, Listening>): boolean {
  for (const listening of added.values()) if (listening.hears(method, params)) return true;
  return false;
}
