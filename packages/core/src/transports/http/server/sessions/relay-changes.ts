import type { Change, ChangeFeed, Listener } from '../../../../server/change-feed.ts';
import type { Store } from '../../../../stores/store.ts';
import type { Awaitable } from '../../../../jsonrpc/awaitable.ts';
import { isWorkerd } from '../../../../runtime/kind.ts';
import { unref } from '../../../../runtime/timers.ts';

/** The delay before the next attempt. */
const retryMs = 1000;

const topic = 'changes';

/** A change and the instance that published it. Without a change: some could not be published, so all may have changed. */
interface ChangeMessage {
  from: string;
  change?: Change;
}

/** A list that a server may have. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** Where failures are reported, and the lists that the server has. */
export interface RelayOptions {
  report(error: unknown): void;
  lists(): readonly ListKind[];
}

interface Relay {
  users: number;
  readonly started: Promise<() => void>;
}

/** Handlers of one server that share a store have one relay: each change is published once. */
const relays = new WeakMap<ChangeFeed, Map<Store, Relay>>();

/** The listeners that publish: they must not get what other instances published. */
const outgoing = new WeakSet<Listener>();

/**
 * Publishes changes to the other instances that share a store, and delivers theirs to the listeners here. Resolves once
 * it is subscribed, or retries in the background. Returns a function that stops it.
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
    await store.publish(topic, JSON.stringify({ from, ...(change && { change }) } satisfies ChangeMessage));
  };
  const retry = debounceRetry(() => publish());
  const onFailure = (error: unknown): void => {
    retry.schedule();
    report(error);
  };
  const own: Listener = { matches: () => true, onChange: (change) => void publish(change).catch(onFailure) };
  outgoing.add(own);
  const receive = (message: string): void => {
    const received = JSON.parse(message) as ChangeMessage;
    if (received.from === from) return;
    if (received.change === undefined) notifyAll();
    else notifyLocal(feed, received.change);
  };
  const notifyAll = (): void => notifyOfEverything(feed, lists());
  const subscribe = (): Awaitable<() => void> => store.subscribe(topic, receive, notifyAll);
  const unsubscribe = await retrySubscribe(subscribe, { report, onLate: notifyAll });
  const leave = feed.join(own);
  return () => {
    leave();
    retry.stop();
    unsubscribe();
  };
}

/** Runs work after a delay, once for all requests meanwhile, and again until it succeeds. */
function debounceRetry(work: () => Promise<void>): { schedule(): void; stop(): void } {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const attempt = (): void => {
    timer = undefined;
    work().catch(schedule);
  };
  const schedule = (): void => {
    // Timers end with the request that set them there.
    if (isOver || isWorkerd) return;
    timer ??= unref(setTimeout(attempt, retryMs));
  };
  const stop = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  return { schedule, stop };
}

/** Subscribes, retries if that fails, and calls `onLate` when a retry succeeded. Returns a function that stops both. */
async function retrySubscribe(
  subscribe: () => Awaitable<() => void>,
  { report, onLate }: { report(error: unknown): void; onLate(): void },
): Promise<() => void> {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const attempt = async (): Promise<void> => {
    stop = await subscribe();
    if (isOver) stop();
  };
  const scheduleRetry = (): void => {
    // Timers end with the request that set them there.
    if (isOver || isWorkerd) return;
    timer = unref(setTimeout(() => void attempt().then(onLate, scheduleRetry), retryMs));
  };
  try {
    await attempt();
  } catch (error) {
    report(error);
    scheduleRetry();
  }
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
  };
}

function notifyLocal(feed: ChangeFeed, change: Change): void {
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener) && listener.matches(change)) listener.onChange(change);
  }
}

/** Reports every list and resource as changed, because changes may have been missed. */
function notifyOfEverything(feed: ChangeFeed, lists: readonly ListKind[]): void {
  for (const kind of lists) notifyLocal(feed, { kind });
  for (const listener of feed.listeners()) {
    if (!outgoing.has(listener)) notifyOfResources(listener);
  }
}

/** Reports all resources that a listener watches as changed. */
export function notifyOfResources(
  listener: Listener,
  uris: Iterable<string> = listener.subscribedUris?.() ?? [],
): void {
  for (const uri of uris) listener.onChange({ kind: 'resource', uri });
}
