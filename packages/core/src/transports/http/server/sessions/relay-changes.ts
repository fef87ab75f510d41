import type { Change, ChangeFeed, Listener } from '../../../../server/change-feed.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { inWorkers } from '../../../../runtime/kind.ts';
import { letEnd } from '../../../../runtime/timers.ts';
import { limits } from '../../../../limits.ts';

/** How long to wait before listening is tried again. */
const pauseMs = limits.http.relayMs.value;

const topic = 'changes';

/** A change, and the instance that it came from. Without a change: some could not be told, so anything may have changed. */
interface Told {
  from: string;
  change?: Change;
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
const relays = new WeakMap<ChangeFeed, Map<Store, Relay>>();

/** The listeners that pass changes on: never what was passed on to here. */
const outgoing = new WeakSet<Listener>();

/**
 * Tells the other instances that share a store what changed here, and the listeners here what changed there. Resolved
 * when nothing is missed any more, or the store can't be listened to yet: then it goes on trying. Gives the way to stop.
 */
export async function relayChanges(feed: ChangeFeed, store: Store, options: RelayOptions): Promise<() => void> {
  const ofFeed = relays.get(feed) ?? new Map<Store, Relay>();
  relays.set(feed, ofFeed);
  const relay = ofFeed.get(store) ?? { users: 0, started: start(feed, store, options) };
  ofFeed.set(store, relay);
  relay.users += 1;
  const stop = await relay.started;
  return () => {
    relay.users -= 1;
    if (relay.users === 0 && ofFeed.delete(store)) stop();
  };
}

async function start(feed: ChangeFeed, store: Store, { report, lists }: RelayOptions): Promise<() => void> {
  const from = crypto.randomUUID();
  const publish = async (change?: Change): Promise<void> => {
    await store.publish(topic, JSON.stringify({ from, ...(change && { change }) } satisfies Told));
  };
  const madeUp = later(() => publish());
  const untold = (error: unknown): void => {
    madeUp.want();
    report(error);
  };
  const own: Listener = { hears: () => true, tell: (change) => void publish(change).catch(untold) };
  outgoing.add(own);
  const hear = (message: string): void => {
    const told = JSON.parse(message) as Told;
    if (told.from === from) return;
    if (told.change === undefined) look();
    else tellHere(feed, told.change);
  };
  const look = (): void => lookAgain(feed, lists());
  const unsubscribe = await persistently(() => store.subscribe(topic, hear, look), { report, late: look });
  const leave = feed.join(own);
  return () => {
    leave();
    madeUp.stop();
    unsubscribe();
  };
}

/** Does something after a pause, once for all who want it meanwhile, and again until it succeeds. */
function later(work: () => Promise<void>): { want(): void; stop(): void } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const attempt = (): void => {
    timer = undefined;
    work().catch(want);
  };
  const want = (): void => {
    // Timers end with the request that set them there.
    if (isOver || inWorkers) return;
    timer ??= letEnd(setTimeout(attempt, pauseMs));
  };
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return { want, stop };
}

/** Begins to listen, or goes on trying where that fails, and says when it was late. Gives the way to stop either. */
async function persistently(
  begin: () => Awaitable<() => void>,
  { report, late }: { report(error: unknown): void; late(): void },
): Promise<() => void> {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const attempt = async (): Promise<void> => {
    stop = await begin();
    if (isOver) stop();
  };
  const again = (): void => {
    // Timers end with the request that set them there.
    if (isOver || inWorkers) return;
    timer = letEnd(setTimeout(() => void attempt().then(late, again), pauseMs));
  };
  try {
    await attempt();
  } catch (error) {
    report(error);
    again();
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
  };
}

function tellHere(feed: ChangeFeed, change: Change): void {
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener) && listener.hears(change)) listener.tell(change);
  }
}

/** What changed elsewhere may not have been told here: so anything may have. */
function lookAgain(feed: ChangeFeed, lists: readonly ListKind[]): void {
  for (const kind of lists) tellHere(feed, { kind });
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener)) tellOfAll(listener);
  }
}

/** Tells a listener that each resource may have changed that it watches. */
export function tellOfAll(listener: Listener, uris: Iterable<string> = listener.watched?.() ?? []): void {
  for (const uri of uris) listener.tell({ kind: 'resource', uri });
}
