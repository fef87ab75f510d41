import { ProtocolError } from '../../jsonrpc/errors.ts';
import {
  isObject,
  type Message,
  type Params,
  type Request,
  type RequestId,
  type Response,
} from '../../jsonrpc/message.ts';
import type { MethodTable } from '../../protocol/methods.ts';
import type { Result } from '../../protocol/results.ts';
import type { AbortSignalLike } from '../abort-signals.ts';
import { ConnectionError, TimeoutError } from '../errors.ts';
import type { Observers } from './observers.ts';
import { type PendingRequest, PendingRequests, initialTiming, type WaitOptions } from './pending-requests.ts';
import { type Answer, IncomingQuestions } from '../questions/incoming-questions.ts';
import type { Receiver, Transport } from '../transport.ts';

/** The maximum answers that are being sent at a time. */
const maxAnswersInFlight = 100;

/** Receives what the server sends unasked. */
export interface ChannelListener {
  answer: Answer;
  onNotification(method: string, params: Params): void;
  warn(text: string): void;
  sessionLost(): void;
  closed(reason: Error): void;
}

/**
 * JSON-RPC over one transport: matches responses to requests, enforces timeouts, and handles cancellation in both
 * directions.
 */
export class RpcChannel implements Receiver {
  readonly methods: MethodTable;
  readonly #transport: Transport;
  readonly #listener: ChannelListener;
  readonly #questions: IncomingQuestions;
  readonly #pending: PendingRequests;
  /** Notified of every request; undefined without observers. */
  readonly #observers: Observers | undefined;
  #lastId = 0;
  /** Answers being sent, where each takes an HTTP request. */
  #answersInFlight = 0;
  #ended: Error | undefined;
  /** True: cancellation is sent as a notification. False: the server notices that its stream was closed. */
  sendsCancelled = true;

  constructor(transport: Transport, methods: MethodTable, listener: ChannelListener, observers?: Observers) {
    this.methods = methods;
    this.#transport = transport;
    this.#listener = listener;
    this.#observers = observers;
    this.#questions = new IncomingQuestions(listener.answer, listener.warn);
    this.#pending = new PendingRequests({
      onTimeout: (id, request) => this.#cancelRequest(id, request, this.#timeoutError(request)),
      onAbort: (id, request, signal) => this.#cancelRequest(id, request, reasonOf(signal)),
      isPaused: () => this.#questions.size > 0,
    });
  }

  /** Starts the transport, also after it has ended. */
  start(): Promise<void> {
    this.#ended = undefined;
    return this.#transport.start(this);
  }

  /** Sends a request. `id` is known at once. */
  ask(method: string, params: Params | undefined, waiting: WaitOptions): { id: RequestId; answer: Promise<Result> } {
    let id: RequestId = 0;
    const answer = new Promise<Result>((resolve, reject) => {
      id = this.send(params, { method, waiting, resolve, reject, ...initialTiming });
    });
    return { id, answer };
  }

  /** Sends a request that settles its own callbacks, before `receive` returns. Returns its id. */
  send(params: Params | undefined, request: PendingRequest): RequestId {
    this.#lastId += 1;
    const id = this.#lastId;
    const { method, waiting } = request;
    if (this.#ended !== undefined) request.reject(this.#ended);
    else if (waiting.signal?.aborted === true) request.reject(reasonOf(waiting.signal));
    else {
      const sent = waiting.progress === undefined ? params : withProgressToken(params, id);
      if (this.#observers === undefined) this.#post(id, method, sent, request);
      else {
        const observed = this.#observers.startRequest(id, sent, request);
        observed.run(() => this.#post(id, method, observed.params, observed.request));
      }
    }
    return id;
  }

  #post(id: RequestId, method: string, params: Params | undefined, request: PendingRequest): void {
    this.#pending.add(id, request);
    try {
      this.#transport
        .send(params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params })
        ?.catch((error: Error) => this.#pending.take(id)?.reject(error));
    } catch (error) {
      // For example a value that JSON can't represent.
      this.#pending.take(id)?.reject(error as Error);
    }
  }

  request(method: string, params: Params | undefined, waiting: WaitOptions): Promise<Result> {
    return this.ask(method, params, waiting).answer;
  }

  notify(method: string, params?: Params): Promise<void> | undefined {
    if (this.#ended !== undefined) return undefined;
    return this.#transport.send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
  }

  receive(message: Message): void {
    if (!('method' in message)) this.#onResponse(message);
    else if ('id' in message) void this.#onQuestion(message);
    else this.#onNotification(message.method, message.params ?? {});
  }

  warn(text: string): void {
    this.#listener.warn(text);
  }

  sessionLost(): void {
    this.#listener.sessionLost();
  }

  closed(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#end(reason);
    this.#listener.closed(reason);
  }

  /** Closes the channel from this side. */
  async close(graceMs?: number): Promise<void> {
    if (this.#ended === undefined) this.#end(new ConnectionError('The client is closed'));
    await this.#transport.close(graceMs);
  }

  #end(reason: Error): void {
    this.#ended = reason;
    this.#pending.rejectAll(reason);
    this.#questions.cancelAll(reason);
  }

  #onResponse(response: Response): void {
    const request = response.id === null ? undefined : this.#pending.take(response.id);
    if (request === undefined) {
      // Ignores a late or duplicate response. An error without an id is about a message that this side sent.
      if ('error' in response && response.id === null)
        this.warn(`The server reports an error: ${response.error.message}`);
    } else if ('error' in response) {
      const { code, message, data } = response.error;
      request.reject(new ProtocolError(code, message, data));
    } else {
      request.resolve(response.result as Result);
    }
  }

  #cancelRequest(id: RequestId, request: PendingRequest, reason: Error): void {
    if (this.#pending.take(id) === undefined) return;
    if (request.waiting.quiet === undefined && this.sendsCancelled) {
      this.notify('notifications/cancelled', { requestId: id, reason: reason.message })?.catch(() => {});
    }
    this.#transport.abandon?.(id);
    request.reject(reason);
  }

  #timeoutError({ method, waiting }: PendingRequest): TimeoutError {
    const diagnostics = this.#transport.diagnostics?.();
    const limit = Math.min(waiting.budgetMs ?? waiting.timeoutMs, waiting.maxTimeoutMs);
    return new TimeoutError(
      `No answer to "${method}" within ${limit} ms${diagnostics === undefined ? '' : `. ${diagnostics}`}`,
    );
  }

  #onNotification(method: string, params: Params): void {
    if (method === 'notifications/progress') this.#pending.onProgress(params);
    else if (method === 'notifications/cancelled') this.#questions.cancel(params);
    else this.#listener.onNotification(method, params);
  }

  async #onQuestion(question: Request): Promise<void> {
    const response = await this.#questions.answer(question);
    if (response === undefined || this.#ended !== undefined) return;
    if (this.#answersInFlight >= maxAnswersInFlight) {
      this.warn('An answer was not sent: the server asks faster than it accepts answers');
      return;
    }
    this.#answersInFlight += 1;
    try {
      await this.#transport.send(response);
    } catch (error) {
      this.warn(`An answer was lost: ${(error as Error).message}`);
    } finally {
      this.#answersInFlight -= 1;
    }
  }
}

function withProgressToken(params: Params | undefined, id: RequestId): Params {
  // A spread followed by a member costs six times as much.
  const sent: Params = Object.assign({}, params);
  sent._meta = isObject(params?._meta) ? Object.assign({}, params._meta, { progressToken: id }) : { progressToken: id };
  return sent;
}

function reasonOf({ reason }: AbortSignalLike): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
