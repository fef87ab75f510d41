import type { Params } from '../../jsonrpc/message.ts';
import type { Filter } from './subscription.ts';

/** What the members of a filter are called on the wire. */
const wireNames = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

const lists = Object.keys(wireNames) as (keyof typeof wireNames)[];

/** A filter as `subscriptions/listen` carries it. */
export function toWire({ uris, more, ...wanted }: Filter): Params {
  const notifications: Params = { ...more };
  for (const list of lists) if (wanted[list] === true) notifications[wireNames[list]] = true;
  if (uris !== undefined) notifications.resourceSubscriptions = uris;
  return notifications;
}

/** What a server says that it will tell, as a filter. */
export function fromWire({ resourceSubscriptions, ...notifications }: Params): Filter {
  const filter: Filter = {};
  for (const list of lists) if (notifications[wireNames[list]] === true) filter[list] = true;
  if (Array.isArray(resourceSubscriptions)) filter.uris = resourceSubscriptions as string[];
  const own = new Set<string>(Object.values(wireNames));
  const more = Object.entries(notifications).filter(([name]) => !own.has(name));
  return more.length === 0 ? filter : { ...filter, more: Object.fromEntries(more) };
}
