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
import { AppError } from './app-error.ts';
import { FloodGate } from './message-rate-limiter.ts';
import type { AppMessage } from './options.ts';
import { denied } from './app-error.ts';

/** What a conversation is held with. */
export interface ConversationOptions {
  post(message: Message): void;
  /** Serves a request of the view. */
  serve(method: string, params: Params, signal: AbortSignal): Promise<object>;
  /** Hears a notification of the view. */
  hear(method: string, params: Params): void;
  onMessage: ((message: AppMessage) => void) | undefined;
  onProblem(error: AppError): void;
  /** The view has sent too much for too long. */
  flooded(): void;
  messagesPerSecond: number | undefined;
}

const bounds = { length: limits.appHost.message.value, depth: limits.appHost.depth.value };

/** Requests, answers and notifications between a host and one view. Whatever the view sends is checked and bounded. */
export class ViewConversation {
  readonly #options: ConversationOptions;
  readonly #gate: FloodGate;
  readonly #pending = new Pending();
  readonly #serving = new Map<string | number, AbortController>();
  #ended: Error | undefined;
  #lastTold = Number.NEGATIVE_INFINITY;
  /** When the view was last heard, by `performance.now()`. */
  lastHeard = performance.now();

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#gate = new FloodGate(options.messagesPerSecond);
  }

  notify(method: string, params: Params): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Asks the view something. */
  ask(method: string, params: Params, timeoutMs: number): Promise<Record<string, unknown>> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new AppError('unresponsive', `The view did not answer ${method}`)),
      timeoutMs,
    );
    const asked = this.#pending.ask(method, params, (message) => this.#send(message), late.signal);
    return asked.finally(() => clearTimeout(timer));
  }

  /** Sends whatever somebody wrote by hand. */
  sendRaw(message: unknown): void {
    this.#send(message as Message);
  }

  /** Takes something that came from the view. */
  receive(given: unknown): void {
    this.lastHeard = performance.now();
    const passage = this.#gate.next();
    if (passage === 'ended') return this.#options.flooded();
    if (passage === 'refused') return this.#refuse(given, denied('The view sends too many messages'));
    const length = lengthWithin(given, bounds);
    if (length === undefined)
      return this.#refuse('', denied('The message is too long, or nested too deeply'), idOf(given));
    this.#gate.weigh(length);
    const classified = classify(given);
    if (classified.kind === 'invalid') {
      const { code, message } = classified.answer.error;
      return this.#refuse(given, new ProtocolError(code, message));
    }
    this.#options.onMessage?.({ from: 'view', message: given });
    if (classified.kind === 'response') this.#pending.settle(classified.message);
    else if (classified.kind === 'notification') this.#hear(classified.message);
    else void this.#serve(classified.message);
  }

  /** Ends everything that is still open. */
  end(reason: Error): void {
    this.#ended = reason;
    this.#pending.end(reason);
    this.#forget(reason);
  }

  #forget(reason: Error): void {
    for (const controller of this.#serving.values()) controller.abort(reason);
    this.#serving.clear();
  }

  #hear({ method, params = {} }: Notification): void {
    if (method === 'notifications/cancelled') {
      if (isId(params.requestId))
        this.#serving.get(params.requestId)?.abort(new AppError('closed', 'The view asks no more'));
      return;
    }
    this.#options.hear(method, params);
  }

  async #serve({ id, method, params = {} }: Request): Promise<void> {
    // A page that begins anew counts from the beginning, and would take answers to the former one for its own.
    if (method === 'ui/initialize') this.#forget(new AppError('closed', 'The view began anew'));
    if (this.#serving.has(id)) return this.#answerError(id, denied('Another request with this id is still served'));
    if (this.#serving.size >= limits.appHost.requests.value)
      return this.#answerError(id, denied('Too many requests at a time'));
    const controller = new AbortController();
    this.#serving.set(id, controller);
    try {
      const result = await this.#options.serve(method, params, controller.signal);
      if (!controller.signal.aborted) this.#send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!controller.signal.aborted) this.#answerError(id, error);
    } finally {
      if (this.#serving.get(id) === controller) this.#serving.delete(id);
    }
  }

  #refuse(given: unknown, error: ProtocolError, id = idOf(given)): void {
    this.#options.onMessage?.({ from: 'view', message: given, refused: error.message });
    this.#tell(error.message);
    if (id !== undefined) this.#answerError(id, error);
  }

  /** Once in a second, because a view that sends wrong messages may send many. */
  #tell(problem: string): void {
    const now = performance.now();
    if (now - this.#lastTold < 1000) return;
    this.#lastTold = now;
    this.#options.onProblem(new AppError('message', problem));
  }

  #answerError(id: string | number, error: unknown): void {
    this.#send({ jsonrpc: '2.0', id, error: bodyOf(error) });
  }

  #send(message: Message): void {
    this.#options.onMessage?.({ from: 'host', message });
    this.#options.post(message);
  }
}

/** The id of what looks like a request, so that its sender does not wait for ever. */
function idOf(given: unknown): string | number | undefined {
  return isObject(given) && typeof given.method === 'string' && isId(given.id) ? given.id : undefined;
}

/** An error as the view is told of it: with its code where it is one of the protocol, from whichever library. */
function bodyOf(error: unknown): ErrorBody {
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
