import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { MetaKey } from '../../protocol/meta.ts';
import type { Result } from '../../protocol/results.ts';
import type { Change } from './subscription.ts';
import { ConnectionError, HttpError, TimeoutError } from '../errors.ts';
import type { Waiting } from '../connection/pending-requests.ts';
import { pause } from '../abort-signals.ts';
import { ChangeQueue, everyChange, type Filter, type ListenOptions, type Subscription } from './subscription.ts';
import { limits } from '../../limits.ts';

/** What the members of a filter are called on the wire. */
const wireNames = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

const lists = Object.keys(wireNames) as (keyof typeof wireNames)[];

/** A filter as `subscriptions/listen` carries it. */
function toWire({ uris, more, ...wanted }: Filter): Params {
  const notifications: Params = { ...more };
  for (const list of lists) if (wanted[list] === true) notifications[wireNames[list]] = true;
  if (uris !== undefined) notifications.resourceSubscriptions = uris;
  return notifications;
}

/** What a server says that it will tell, as a filter. */
function fromWire({ resourceSubscriptions, ...notifications }: Params): Filter {
  const filter: Filter = {};
  for (const list of lists) if (notifications[wireNames[list]] === true) filter[list] = true;
  if (Array.isArray(resourceSubscriptions)) filter.uris = resourceSubscriptions as string[];
  const own = new Set<string>(Object.values(wireNames));
  const more = Object.entries(notifications).filter(([name]) => !own.has(name));
  return more.length === 0 ? filter : { ...filter, more: Object.fromEntries(more) };
}

const mostAttempts = limits.client.listenAttempts.value;
const firstPauseMs = 250;
/** A subscription that lasted so long was not ended as soon as it was confirmed. */
const lastingMs = 5000;

/** What a subscription needs of a conversation. */
export interface ListeningHost {
  readonly changes: Set<(change: Change, params: Params) => void>;
  readonly notices: Set<(method: string, params: Params) => void>;
  readonly acknowledged: Set<(params: Params) => void>;
  readonly isOver: boolean;
  ask(method: string, params: Params, waiting: Waiting): { id: RequestId; answer: Promise<Result> };
  waiting(options: object): Waiting;
}

/** Listens by a request that lasts as long as the subscription. One that breaks is made again. */
export async function listenByRequest(
  conversation: ListeningHost,
  filter: Filter,
  options: ListenOptions,
): Promise<Subscription> {
  const { signal } = options;
  signal?.throwIfAborted();
  const listening = new ListeningRequest(conversation, filter, options);
  signal?.addEventListener('abort', () => listening.end(), { once: true });
  await listening.begin();
  return {
    get honoured() {
      return listening.honoured;
    },
    closed: listening.queue.closed,
    close() {
      listening.end();
      return listening.queue.closed;
    },
    [Symbol.asyncIterator]: () => listening.queue.read(),
  };
}

/** One subscription, over all requests that it takes. */
class ListeningRequest {
  readonly queue = new ChangeQueue(() => everyChange(this.honoured));
  /** What the server said that it will tell. */
  honoured: Filter = {};
  readonly #conversation: ListeningHost;
  readonly #filter: Filter;
  readonly #options: ListenOptions;
  readonly #stop = new AbortController();
  #id: RequestId | undefined;

  constructor(conversation: ListeningHost, filter: Filter, options: ListenOptions) {
    this.#conversation = conversation;
    this.#filter = filter;
    this.#options = options;
  }

  /** Resolves when the server has said what it will tell, and goes on listening. */
  async begin(): Promise<void> {
    this.#conversation.changes.add(this.#hear);
    if (this.#options.onNotice !== undefined) this.#conversation.notices.add(this.#notice);
    try {
      void this.#keep(await this.#request());
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(error?: Error): void {
    this.#conversation.changes.delete(this.#hear);
    this.#conversation.notices.delete(this.#notice);
    this.#stop.abort(new Error('The subscription is closed'));
    this.queue.end(error);
  }

  readonly #hear = (change: Change, params: Params): void => {
    if (subscriptionOf(params) === this.#id) this.#tell(change);
  };

  readonly #notice = (method: string, params: Params): void => {
    if (subscriptionOf(params) === this.#id) this.#options.onNotice?.(method, params);
  };

  #tell(change: Change): void {
    this.queue.push(change);
    this.#options.onChange?.(change);
  }

  /** Sends the request. Resolves when it is acknowledged; `over` does when the server will tell nothing more. */
  async #request(): Promise<{ over: Promise<unknown> }> {
    const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };
    const params = { notifications: toWire(this.#filter) };
    const asked = this.#conversation.ask('subscriptions/listen', params, { ...forever, signal: this.#stop.signal });
    this.#id = asked.id;
    const over = asked.answer;
    over.catch(() => {});
    this.honoured = await acknowledgement(this.#conversation, asked.id, over);
    return { over };
  }

  /** Waits for the end, and makes the request again after one that may pass. */
  async #keep(first: { over: Promise<unknown> }): Promise<void> {
    let current = first;
    let begun = performance.now();
    for (let attempt = 0; ; ) {
      try {
        await current.over;
        return this.end();
      } catch (error) {
        if (this.queue.ended) return;
        // A server that confirms and breaks off again and again would else keep both sides busy for ever.
        if (performance.now() - begun >= lastingMs) attempt = 0;
        const isFinal = this.#conversation.isOver || !mayPass(error) || attempt >= mostAttempts;
        if (isFinal) return this.end(error as Error);
      }
      await pause(firstPauseMs * 2 ** attempt, this.#stop.signal);
      if (this.queue.ended) return;
      attempt += 1;
      try {
        current = await this.#request();
        begun = performance.now();
        // What changed meanwhile was told to nobody.
        for (const change of everyChange(this.honoured)) this.#tell(change);
      } catch (error) {
        begun = performance.now();
        current = { over: Promise.reject(error) };
      }
    }
  }
}

/** Waits for the first message of a subscription, but not forever. */
function acknowledgement(conversation: ListeningHost, id: RequestId, over: Promise<unknown>): Promise<Filter> {
  return new Promise((resolve, reject) => {
    const { timeoutMs } = conversation.waiting({});
    const done = (): void => {
      clearTimeout(timer);
      conversation.acknowledged.delete(hear);
    };
    const fail = (error: Error): void => {
      done();
      reject(error);
    };
    const timer = setTimeout(() => fail(new TimeoutError('The server did not confirm the subscription')), timeoutMs);
    const hear = (params: Params): void => {
      if (subscriptionOf(params) !== id) return;
      done();
      resolve(fromWire((params.notifications ?? {}) as Params));
    };
    conversation.acknowledged.add(hear);
    over.then(() => fail(new ConnectionError('The server ended the subscription before it began')), fail);
  });
}

function subscriptionOf({ _meta }: Params): unknown {
  return (_meta as Params | undefined)?.[MetaKey.subscriptionId];
}

/** True for what may be over soon: a broken stream, a server that is being restarted. */
function mayPass(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || isTrouble(error);
}

function isTrouble(error: unknown): boolean {
  return error instanceof HttpError && (error.status >= 500 || error.status === 429);
}
