import type { Change, Feed, Listener } from '../../../../server/feed.ts';
import type { Store } from '../../../../stores/store.ts';

const topic = 'changes';

/** A change, and the instance that it came from. */
interface Told {
  from: string;
  change: Change;
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
export async function relayChanges(feed: Feed, store: Store, report: (error: unknown) => void): Promise<() => void> {
  const ofFeed = relays.get(feed) ?? new Map<Store, Relay>();
  relays.set(feed, ofFeed);
  const relay = ofFeed.get(store) ?? { users: 0, started: start(feed, store, report) };
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

async function start(feed: Feed, store: Store, report: (error: unknown) => void): Promise<() => void> {
  const from = crypto.randomUUID();
  const publish = async (change: Change): Promise<void> => {
    await store.publish(topic, JSON.stringify({ from, change } satisfies Told));
  };
  const own: Listener = { hears: () => true, tell: (change) => void publish(change).catch(report) };
  outgoing.add(own);
  const unsubscribe = await store.subscribe(topic, (message) => {
    const told = JSON.parse(message) as Told;
    if (told.from !== from) tellHere(feed, told.change);
  });
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
