import type { Change, Feed, Listener } from '../../../../server/feed.ts';
import type { Store } from '../../../../stores/store.ts';

const topic = 'changes';

/** A change, and the instance that it came from. */
interface Told {
  from: string;
  change: Change;
}

/** A list that a server may have. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** Who hears of failures, and which lists there are to look at again. */
export interface RelayOptions {
  report(error: unknown): void;
  lists(): readonly ListKind[];
}

interface Relay {
  users: number;
  readonly started: Promise<() => void>;
}

/** Several handlers of one server that share a store have one relay: each change is told once. */
const relays = new WeakMap<Feed, Map<Store, Relay>>();

/** The listeners that pass changes on: never what was passed on to here. */
const outgoing = new WeakSet<Listener>();

/**
 * Tells the other instances that share a store what changed here, and the listeners here what changed there. Resolved
 * when nothing is missed any more; gives the way to stop.
 */
export async function relayChanges(feed: Feed, store: Store, options: RelayOptions): Promise<() => void> {
  const ofFeed = relays.get(feed) ?? new Map<Store, Relay>();
  relays.set(feed, ofFeed);
  const relay = ofFeed.get(store) ?? { users: 0, started: start(feed, store, options) };
  ofFeed.set(store, relay);
  relay.users += 1;
  const forget = (): boolean => {
    relay.users -= 1;
    return relay.users === 0 && ofFeed.delete(store);
  };
  try {
    const stop = await relay.started;
    return () => {
      if (forget()) stop();
    };
  } catch (error) {
    forget();
    throw error;
  }
}

async function start(feed: Feed, store: Store, { report, lists }: RelayOptions): Promise<() => void> {
  const from = crypto.randomUUID();
  const publish = async (change: Change): Promise<void> => {
    await store.publish(topic, JSON.stringify({ from, change } satisfies Told));
  };
  const own: Listener = { hears: () => true, tell: (change) => void publish(change).catch(report) };
  outgoing.add(own);
  const hear = (message: string): void => {
    const told = JSON.parse(message) as Told;
    if (told.from !== from) tellHere(feed, told.change);
  };
  const unsubscribe = await store.subscribe(topic, hear, () => lookAgain(feed, lists()));
  const leave = feed.join(own);
  return () => {
    leave();
    unsubscribe();
  };
}

function tellHere(feed: Feed, change: Change): void {
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener) && listener.hears(change)) listener.tell(change);
  }
}

/** What changed elsewhere may not have been told here: so anything may have. */
function lookAgain(feed: Feed, lists: readonly ListKind[]): void {
  for (const kind of lists) tellHere(feed, { kind });
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener)) tellOfAll(listener);
  }
}

/** Tells a listener that each resource may have changed that it watches. */
export function tellOfAll(listener: Listener, uris: Iterable<string> = listener.watched?.() ?? []): void {
  for (const uri of uris) listener.tell({ kind: 'resource', uri });
}
