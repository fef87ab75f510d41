import { ErrorCode, limits, type Operation, ProtocolError, type Result } from '@ccmcp/core';
import type { LogMessage, Params, Progress } from '@ccmcp/core/client';

/** The outcome of a call after an answer: a result, further questions, or an error. */
export type Continued = { result: Result } | { questions: Params } | { error: RelayedError };

interface RelayedError {
  code: number;
  message: string;
  data?: unknown;
}

/** A message to the instance that has the call. */
type Order = Answer | { call: string; cancel: string };
interface Answer {
  call: string;
  reply: string;
  responses: unknown;
}
/** A message to the instance that received the answer. */
type Reply =
  | Continued
  | { progress: Progress }
  | { log: LogMessage }
  /** Heartbeat: the call was found and continues. */
  | { alive: true }
  /** The call is not there. */
  | { gone: true };

type Store = Awaited<ReturnType<Operation['shared']>>;

/** Continues a call of this instance and returns its outcome; undefined: this instance does not have it. */
export interface RelayTarget {
  resume(id: string, responses: unknown, caller: RelayedCaller): Promise<Continued> | undefined;
  cancel(id: string, reason: Error): void;
  reportError(message: string, error: unknown): void;
}

/** The caller of a call that continues for a request to another instance. */
export interface RelayedCaller {
  progress(progress: Progress): void;
  log(message: LogMessage): void;
}

/** The interval of heartbeats of a call, and the timeout without one, in milliseconds. */
const aliveMs = 4000;
const silenceMs = 15_000;
/** The timeout before the first heartbeat. */
const foundMs = 4000;

/**
 * Forwards the answer for a call to the instance that has it, through the shared store, and returns the outcome. There
 * is one topic per instance, and one per forwarded answer.
 */
export class CallRelay {
  /** Names this instance in the state that travels through the client. */
  readonly address: string = crypto.randomUUID();
  readonly #upstream: string;
  readonly #answerMs: number;
  readonly #target: RelayTarget;
  readonly #listening = new Map<Store, Promise<() => void>>();

  constructor({ upstream, answerMs }: { upstream: string; answerMs: number }, target: RelayTarget) {
    this.#upstream = upstream;
    this.#answerMs = answerMs;
    this.#target = target;
  }

  /** Receives answers that arrive at other instances. */
  async listen(operation: Operation): Promise<void> {
    const store = await operation.shared();
    if (!this.#listening.has(store)) {
      const listener = (message: string): void => this.#onOrder(store, JSON.parse(message) as Order);
      this.#listening.set(store, Promise.resolve(store.subscribe(topicOf(this.address), listener)));
    }
    try {
      await this.#listening.get(store);
    } catch (error) {
      // An answer that arrives at this instance still finds the call.
      this.#listening.delete(store);
      this.#target.reportError('Answers for calls that wait can come to this instance only', error);
    }
  }

  close(): void {
    for (const listening of this.#listening.values()) {
      listening.then((unsubscribe) => unsubscribe()).catch(() => {});
    }
    this.#listening.clear();
  }

  /** Continues a call on another instance. */
  async resume(operation: Operation, { call, at }: { call: string; at: string }): Promise<Continued> {
    const store = await operation.shared();
    const reply = topicOf(crypto.randomUUID());
    const order: Order = { call, reply, responses: operation.params.inputResponses };
    const awaited = new AwaitedReply(operation, { upstream: this.#upstream, answerMs: this.#answerMs });
    const unsubscribe = await store.subscribe(
      reply,
      (message) => awaited.onReply(JSON.parse(message) as Reply),
      () => awaited.onLost('the connection to the store was lost'),
    );
    const leave = operation.onAbort((reason) => {
      const cancel = reason instanceof Error ? reason.message : 'The request was cancelled';
      awaited.onLost(cancel);
      void publish(store, topicOf(at), { call, cancel });
    });
    try {
      const sent = store.publish(topicOf(at), JSON.stringify(order));
      // A store that delivers synchronously has no subscriber for it, or the reply has arrived.
      if (sent instanceof Promise) await sent;
      else awaited.assertFound();
      return await awaited.outcome;
    } finally {
      leave();
      unsubscribe();
      awaited.close();
    }
  }

  #onOrder(store: Store, order: Order): void {
    if ('cancel' in order) return this.#target.cancel(order.call, new Error(order.cancel));
    const send = (reply: Reply): void => void publish(store, order.reply, reply);
    const continued = this.#resumeHere(order, send);
    if (continued === undefined) return send({ gone: true });
    send({ alive: true });
    const heartbeat = setInterval(() => send({ alive: true }), aliveMs);
    heartbeat.unref();
    void continued
      .catch((error: unknown): Continued => ({ error: toRelayedError(error) }))
      .then(send)
      .finally(() => clearInterval(heartbeat));
  }

  #resumeHere({ call, responses }: Answer, send: (reply: Reply) => void): Promise<Continued> | undefined {
    const caller: RelayedCaller = { progress: (progress) => send({ progress }), log: (log) => send({ log }) };
    try {
      return this.#target.resume(call, responses, caller);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** The outcome of a call that continues on another instance. */
class AwaitedReply {
  readonly outcome: Promise<Continued>;
  readonly #upstream: string;
  readonly #answerMs: number;
  readonly #operation: Operation;
  #isFound = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (continued: Continued) => void;
  #reject!: (error: Error) => void;

  constructor(operation: Operation, { upstream, answerMs }: { upstream: string; answerMs: number }) {
    this.#upstream = upstream;
    this.#answerMs = answerMs;
    this.#operation = operation;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.outcome.catch(() => {});
    this.#await(foundMs);
  }

  onReply(reply: Reply): void {
    if ('gone' in reply) return this.#reject(notWaiting(this.#upstream, this.#answerMs));
    this.#isFound = true;
    this.#await(silenceMs);
    const { progress, log } = this.#operation;
    if ('progress' in reply) progress(reply.progress.progress, reply.progress.total, reply.progress.message);
    else if ('log' in reply) log(reply.log.level, reply.log.data, reply.log.logger);
    else if (!('alive' in reply)) this.#resolve(reply);
  }

  onLost(reason: string): void {
    const message = `The call waits on another instance of the gateway, and its outcome is lost: ${reason}`;
    this.#reject(new ProtocolError(ErrorCode.InternalError, message, { upstream: this.#upstream }));
  }

  /** Rejects if no instance has replied. */
  assertFound(): void {
    if (!this.#isFound) this.#reject(notWaiting(this.#upstream, this.#answerMs));
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #await(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isFound) this.onLost(`the instance did not report for ${timeoutMs / 1000} seconds`);
      else this.#reject(notWaiting(this.#upstream, this.#answerMs));
    }, timeoutMs);
  }
}

/** The error for an answer whose call is on no instance. */
export function notWaiting(upstream: string, answerMs: number): ProtocolError {
  const message =
    `The call is no longer waiting: the upstream "${upstream}" keeps one for ${answerMs / 1000} seconds, for one answer, ` +
    'and not over a restart of the instance that has it. Start the request again';
  return new ProtocolError(ErrorCode.InvalidParams, message, { upstream });
}

function topicOf(address: string): string {
  return `gateway/${address}`;
}

/** Publishes a message. One that is too long becomes an error for its receiver. */
async function publish(store: Store, topic: string, message: Reply | Order): Promise<void> {
  const text = JSON.stringify(message);
  const max = limits.server.maxResult.value;
  const error = { code: ErrorCode.InternalError, message: `The result is too large: more than ${max} characters` };
  try {
    await store.publish(topic, text.length > max ? JSON.stringify({ error }) : text);
  } catch {
    // The receiver times out.
  }
}

function toRelayedError(error: unknown): RelayedError {
  if (error instanceof ProtocolError) {
    const { code, message, data } = error;
    return { code, message, ...(data !== undefined && { data }) };
  }
  return { code: ErrorCode.InternalError, message: (error as Error).message };
}
