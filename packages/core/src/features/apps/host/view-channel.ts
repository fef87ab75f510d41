import { pageLimits as limits } from '../../../page-limits.ts';
import { type ErrorBody, ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import {
  classify,
  isId,
  isObject,
  type Message,
  type Notification,
  type Params,
  type Request,
} from '../../../jsonrpc/message.ts';
import { Pending } from '../../../jsonrpc/pending.ts';
import { lengthWithin } from '../../../jsonrpc/size.ts';
import { AppError, deniedError } from './app-error.ts';
import { MessageRateLimiter } from './message-rate-limiter.ts';
import type { AppMessage } from './options.ts';

/** The maximum concurrent requests of a view. */
const maxRequests = 64;

/** The maximum nesting depth of a view's message. */
const maxDepth = 100;

/** Options of a view channel. */
export interface ViewChannelOptions {
  post(message: Message): void;
  /** Handles a request of the view. */
  onRequest(method: string, params: Params, signal: AbortSignal): Promise<object>;
  /** Handles a notification of the view. */
  onNotification(method: string, params: Params): void;
  onMessage: ((message: AppMessage) => void) | undefined;
  onProblem(error: AppError): void;
  /** The view has sent too much for too long. */
  onFlood(): void;
  messagesPerSecond: number | undefined;
}

const messageLimits = { length: limits.appHost.message.value, depth: maxDepth };

/** JSON-RPC between a host and one view. Everything the view sends is validated and bounded. */
export class ViewChannel {
  readonly #options: ViewChannelOptions;
  readonly #rateLimiter: MessageRateLimiter;
  readonly #pending = new Pending();
  readonly #inFlight = new Map<string | number, AbortController>();
  #ended: Error | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  /** When the last message arrived, by `performance.now()`. */
  lastReceivedAt = performance.now();

  constructor(options: ViewChannelOptions) {
    this.#options = options;
    this.#rateLimiter = new MessageRateLimiter(options.messagesPerSecond);
  }

  notify(method: string, params: Params): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request to the view. */
  request(method: string, params: Params, timeoutMs: number): Promise<Record<string, unknown>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new AppError('unresponsive', `The view did not answer ${method}`)),
      timeoutMs,
    );
    const asked = this.#pending.ask(method, params, (message) => this.#send(message), late.signal);
    return asked.finally(() => clearTimeout(timer));
  }

  /** Sends a message unchanged. */
  sendRaw(message: unknown): void {
    this.#send(message as Message);
  }

  /** Handles a message of the view. */
  receive(given: unknown): void {
    this.lastReceivedAt = performance.now();
    const passage = this.#rateLimiter.check();
    if (passage === 'ended') return this.#options.onFlood();
    if (passage === 'rejected') return this.#reject(given, deniedError('The view sends too many messages'));
    const length = lengthWithin(given, messageLimits);
    if (length === undefined)
      return this.#reject('', deniedError('The message is too long, or nested too deeply'), idOf(given));
    this.#rateLimiter.addWeight(length);
    const classified = classify(given);
    if (classified.kind === 'invalid') {
      const { code, message } = classified.answer.error;
      return this.#reject(given, new ProtocolError(code, message));
    }
    this.#options.onMessage?.({ from: 'view', message: given });
    if (classified.kind === 'response') this.#pending.settle(classified.message);
    else if (classified.kind === 'notification') this.#onNotification(classified.message);
    else void this.#onRequest(classified.message);
  }

  /** Rejects and aborts everything pending. */
  end(reason: Error): void {
    this.#ended = reason;
    this.#pending.end(reason);
    this.#abortRequests(reason);
  }

  #abortRequests(reason: Error): void {
    for (const controller of this.#inFlight.values()) controller.abort(reason);
    this.#inFlight.clear();
  }

  #onNotification({ method, params = {} }: Notification): void {
    if (method === 'notifications/cancelled') {
      if (isId(params.requestId))
        this.#inFlight.get(params.requestId)?.abort(new AppError('closed', 'The view cancelled the request'));
      return;
    }
    this.#options.onNotification(method, params);
  }

  async #onRequest({ id, method, params = {} }: Request): Promise<void> {
    // A page that reloads restarts its ids, and would take answers to old requests for its own.
    if (method === 'ui/initialize') this.#abortRequests(new AppError('closed', 'The view was reloaded'));
    if (this.#inFlight.has(id))
      return this.#respondError(id, deniedError('Another request with this id is still pending'));
    if (this.#inFlight.size >= maxRequests) return this.#respondError(id, deniedError('Too many requests at a time'));
    const controller = new AbortController();
    this.#inFlight.set(id, controller);
    try {
      const result = await this.#options.onRequest(method, params, controller.signal);
      if (!controller.signal.aborted) this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.#respondError(id, error);
    } finally {
      if (this.#inFlight.get(id) === controller) this.#inFlight.delete(id);
    }
  }

  #reject(given: unknown, error: ProtocolError, id = idOf(given)): void {
    this.#options.onMessage?.({ from: 'view', message: given, rejected: error.message });
    this.#reportProblem(error.message);
    if (id !== undefined) this.#respondError(id, error);
  }

  /** At most once per second, since a faulty view may send many messages. */
  #reportProblem(problem: string): void {
    const now = performance.now();
    if (now - this.#reportedAt < 1000) return;
    this.#reportedAt = now;
    this.#options.onProblem(new AppError('message', problem));
  }

  #respondError(id: string | number, error: unknown): void {
    this.#send({ jsonrpc: '2.0', id, error: toErrorBody(error) });
  }

  #send(message: Message): void {
    this.#options.onMessage?.({ from: 'host', message });
    this.#options.post(message);
  }
}

/** The id of what looks like a request, so that its sender gets an answer. */
function idOf(given: unknown): string | number | undefined {
  return isObject(given) && typeof given.method === 'string' && isId(given.id) ? given.id : undefined;
}

/** The error body for the view: with the code of a protocol error, from any library. */
function toErrorBody(error: unknown): ErrorBody {
  const { code, message, data } = (isObject(error) ? error : {}) as {
    code?: unknown;
    message?: unknown;
    data?: unknown;
  };
  return {
    code: Number.isInteger(code) ? (code as number) : ErrorCode.InternalError,
    message: typeof message === 'string' ? message : 'The host failed',
    ...(data !== undefined && { data }),
  };
}
