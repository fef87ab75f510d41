import type { Params, RequestId } from '../jsonrpc/message.ts';
import { MetaKey } from '../protocol/meta.ts';
import type { Change } from './change.ts';
import type { Connection } from './connection.ts';
import { ConnectionError, HttpError, TimeoutError } from './errors.ts';
import { ChangeQueue, everyChange, type Filter, type Subscription } from './subscription.ts';

/** How a subscription is made. */
export interface ListenOptions {
  signal?: AbortSignal;
  /** Told of each change, beside whoever reads the subscription. */
  onChange?: (change: Change) => void;
}

const mostAttempts = 5;
const firstPauseMs = 250;

/** Listens by a request that lasts as long as the subscription. One that breaks is made again. */
export async function listenByRequest(
  connection: Connection,
  filter: Filter,
  { signal, onChange }: ListenOptions,
): Promise<Subscription> {
  const queue = new ChangeQueue();
  const stop = new AbortController();
  let id: RequestId | undefined;
  let honoured: Filter = {};
  const tell = (change: Change): void => {
    queue.push(change);
    onChange?.(change);
  };
  const hear = (change: Change, params: Params): void => {
    if (subscriptionOf(params) === id) tell(change);
  };
  const end = (error?: Error): void => {
    connection.changes.delete(hear);
    stop.abort(new Error('The subscription is closed'));
    queue.end(error);
  };

  /** Resolves when the server says what it will tell; `over` when it will tell nothing more. */
  async function start(): Promise<{ over: Promise<unknown> }> {
    const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };
    const asked = connection.ask(
      'subscriptions/listen',
      { notifications: wireFilter(filter) },
      {
        ...forever,
        signal: stop.signal,
      },
    );
    id = asked.id;
    const over = asked.answer;
    over.catch(() => {});
    honoured = await acknowledgement(connection, asked.id, over);
    return { over };
  }

  async function follow(first: { over: Promise<unknown> }): Promise<void> {
    let current = first;
    for (let attempt = 0; !queue.ended; ) {
      try {
        await current.over;
        return end();
      } catch (error) {
        if (queue.ended) return;
        if (!mayPass(error) || attempt >= mostAttempts) return end(error as Error);
      }
      await pause(firstPauseMs * 2 ** attempt, stop.signal);
      attempt += 1;
      try {
        current = await start();
        attempt = 0;
        // What changed meanwhile was told to nobody.
        for (const change of everyChange(honoured)) tell(change);
      } catch (error) {
        current = { over: Promise.reject(error) };
      }
    }
  }

  connection.changes.add(hear);
  signal?.addEventListener('abort', () => end(), { once: true });
  try {
    signal?.throwIfAborted();
    void follow(await start());
  } catch (error) {
    end();
    throw error;
  }
  return {
    get honoured() {
      return honoured;
    },
    closed: queue.closed,
    close: () => {
      end();
      return queue.closed;
    },
    [Symbol.asyncIterator]: () => queue.read(),
  };
}

/** Waits for the first message of a subscription, but not forever. */
function acknowledgement(connection: Connection, id: RequestId, over: Promise<unknown>): Promise<Filter> {
  return new Promise((resolve, reject) => {
    const { timeoutMs } = connection.waiting({});
    const done = (): void => {
      clearTimeout(timer);
      connection.acknowledged.delete(hear);
    };
    const fail = (error: Error): void => {
      done();
      reject(error);
    };
    const timer = setTimeout(() => fail(new TimeoutError('The server did not confirm the subscription')), timeoutMs);
    const hear = (params: Params): void => {
      if (subscriptionOf(params) !== id) return;
      done();
      resolve(filterOf((params.notifications ?? {}) as Params));
    };
    connection.acknowledged.add(hear);
    over.then(() => fail(new ConnectionError('The server ended the subscription before it began')), fail);
  });
}

function subscriptionOf({ _meta }: Params): unknown {
  return (_meta as Params | undefined)?.[MetaKey.subscriptionId];
}

function wireFilter({ tools, prompts, resources, uris }: Filter): Params {
  return {
    ...(tools === true && { toolsListChanged: true }),
    ...(prompts === true && { promptsListChanged: true }),
    ...(resources === true && { resourcesListChanged: true }),
    ...(uris !== undefined && { resourceSubscriptions: uris }),
  };
}

function filterOf({
  toolsListChanged,
  promptsListChanged,
  resourcesListChanged,
  resourceSubscriptions,
}: Params): Filter {
  return {
    ...(toolsListChanged === true && { tools: true }),
    ...(promptsListChanged === true && { prompts: true }),
    ...(resourcesListChanged === true && { resources: true }),
    ...(Array.isArray(resourceSubscriptions) && { uris: resourceSubscriptions as string[] }),
  };
}

/** True for what may be over soon: a broken stream, a server that is being restarted. */
function mayPass(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError || isTrouble(error);
}

function isTrouble(error: unknown): boolean {
  return error instanceof HttpError && (error.status >= 500 || error.status === 429);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
