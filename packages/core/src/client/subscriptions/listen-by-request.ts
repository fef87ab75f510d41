import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import {
  type Change,
  ChangeQueue,
  allChanges,
  type Filter,
  type ListenOptions,
  type Subscription,
} from './subscription.ts';
import { ConnectionError, HttpError, TimeoutError } from '../errors.ts';
import type { ConnectionLifecycle } from '../connection/connection-lifecycle.ts';
import type { IncomingMessages } from '../connection/incoming-messages.ts';
import type { WaitOptions } from '../connection/pending-requests.ts';
import { delay } from '../abort-signals.ts';

/** The names of the filter members on the wire. */
const wireNames = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

const lists = Object.keys(wireNames) as (keyof typeof wireNames)[];

/** Encodes a filter for `subscriptions/listen`. */
function toWireFilter({ uris, more, ...wanted }: Filter): Params {
  const notifications: Params = { ...more };
  for (const list of lists) if (wanted[list] === true) notifications[wireNames[list]] = true;
  if (uris !== undefined) notifications.resourceSubscriptions = uris;
  return notifications;
}

/** Decodes the filter that the server granted. */
function fromWireFilter({ resourceSubscriptions, ...notifications }: Params): Filter {
  const filter: Filter = {};
  for (const list of lists) if (notifications[wireNames[list]] === true) filter[list] = true;
  if (Array.isArray(resourceSubscriptions)) filter.uris = resourceSubscriptions as string[];
  const own = new Set<string>(Object.values(wireNames));
  const more = Object.entries(notifications).filter(([name]) => !own.has(name));
  return more.length === 0 ? filter : { ...filter, more: Object.fromEntries(more) };
}

/** The maximum consecutive attempts to resume a subscription. */
const maxAttempts = 5;
const firstRetryMs = 250;
/** A subscription that lasted this long was not closed right after it was acknowledged. */
const stableMs = 5000;

/** The parts of the connection that a subscription uses. */
export interface SubscriptionHost {
  readonly incoming: IncomingMessages;
  readonly lifecycle: ConnectionLifecycle;
  ask(method: string, params: Params, waiting: WaitOptions): { id: RequestId; answer: Promise<Result> };
  waitOptions(options: object): WaitOptions;
}

/** Subscribes with a long-lived request, which is sent again when it breaks. */
export async function listenByRequest(
  connection: SubscriptionHost,
  filter: Filter,
  options: ListenOptions,
): Promise<Subscription> {
  const { signal } = options;
  signal?.throwIfAborted();
  const subscription = new RequestSubscription(connection, filter, options);
  signal?.addEventListener('abort', () => subscription.end(), { once: true });
  await subscription.start();
  return {
    get honoured() {
      return subscription.honoured;
    },
    closed: subscription.queue.closed,
    close() {
      subscription.end();
      return subscription.queue.closed;
    },
    [Symbol.asyncIterator]: () => subscription.queue.read(),
  };
}

/** One subscription over all of its requests. */
class RequestSubscription {
  readonly queue = new ChangeQueue(() => allChanges(this.honoured));
  /** The filter that the server granted. */
  honoured: Filter = {};
  readonly #connection: SubscriptionHost;
  readonly #filter: Filter;
  readonly #options: ListenOptions;
  readonly #stop = new AbortController();
  #id: RequestId | undefined;

  constructor(connection: SubscriptionHost, filter: Filter, options: ListenOptions) {
    this.#connection = connection;
    this.#filter = filter;
    this.#options = options;
  }

  /** Resolves when the server has acknowledged the subscription; it stays open after that. */
  async start(): Promise<void> {
    this.#connection.incoming.changeListeners.add(this.#onChange);
    if (this.#options.onNotification !== undefined)
      this.#connection.incoming.notificationListeners.add(this.#onNotification);
    try {
      void this.#keepAlive(await this.#request());
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(error?: Error): void {
    this.#connection.incoming.changeListeners.delete(this.#onChange);
    this.#connection.incoming.notificationListeners.delete(this.#onNotification);
    this.#stop.abort(new Error('The subscription is closed'));
    this.queue.end(error);
  }

  readonly #onChange = (change: Change, params: Params): void => {
    if (subscriptionOf(params) === this.#id) this.#emit(change);
  };

  readonly #onNotification = (method: string, params: Params): void => {
    if (subscriptionOf(params) === this.#id) this.#options.onNotification?.(method, params);
  };

  #emit(change: Change): void {
    this.queue.push(change);
    this.#options.onChange?.(change);
  }

  /** Sends the request. Resolves on acknowledgement; `over` settles when the request ends. */
  async #request(): Promise<{ over: Promise<unknown> }> {
    const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };
    const params = { notifications: toWireFilter(this.#filter) };
    const asked = this.#connection.ask('subscriptions/listen', params, { ...forever, signal: this.#stop.signal });
    this.#id = asked.id;
    const over = asked.answer;
    over.catch(() => {});
    this.honoured = await waitForAcknowledgement(this.#connection, asked.id, over);
    return { over };
  }

  /** Waits for the end of the request, and sends it again if the error is retryable. */
  async #keepAlive(first: { over: Promise<unknown> }): Promise<void> {
    let current = first;
    let begun = performance.now();
    for (let attempt = 0; ; ) {
      try {
        await current.over;
        return this.end();
      } catch (error) {
        if (this.queue.ended) return;
        // Limits a server that acknowledges and disconnects again and again.
        if (performance.now() - begun >= stableMs) attempt = 0;
        const isFinal = this.#connection.lifecycle.isClosed || !isRetryable(error) || attempt >= maxAttempts;
        if (isFinal) return this.end(error as Error);
      }
      await delay(firstRetryMs * 2 ** attempt, this.#stop.signal);
      if (this.queue.ended) return;
      attempt += 1;
      try {
        current = await this.#request();
        begun = performance.now();
        // Changes during the gap were not delivered.
        for (const change of allChanges(this.honoured)) this.#emit(change);
      } catch (error) {
        begun = performance.now();
        current = { over: Promise.reject(error) };
      }
    }
  }
}

/** Waits for the acknowledgement, with a timeout. */
function waitForAcknowledgement(connection: SubscriptionHost, id: RequestId, over: Promise<unknown>): Promise<Filter> {
  return new Promise((resolve, reject) => {
    const { timeoutMs } = connection.waitOptions({});
    const done = (): void => {
      clearTimeout(timer);
      connection.incoming.acknowledgementListeners.delete(onAcknowledged);
    };
    const fail = (error: Error): void => {
      done();
      reject(error);
    };
    const timer = setTimeout(() => fail(new TimeoutError('The server did not confirm the subscription')), timeoutMs);
    const onAcknowledged = (params: Params): void => {
      if (subscriptionOf(params) !== id) return;
      done();
      resolve(fromWireFilter((params.notifications ?? {}) as Params));
    };
    connection.incoming.acknowledgementListeners.add(onAcknowledged);
    over.then(() => fail(new ConnectionError('The server ended the subscription before it started')), fail);
  });
}

function subscriptionOf({ _meta }: Params): unknown {
  return (_meta as Params | undefined)?.[MetaKey.subscriptionId];
}

/** True for errors that may pass: a broken stream, or a server that restarts. */
function isRetryable(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || isServerTrouble(error);
}

function isServerTrouble(error: unknown): boolean {
  return error instanceof HttpError && (error.status >= 500 || error.status === 429);
}
