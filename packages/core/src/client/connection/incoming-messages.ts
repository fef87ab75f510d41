import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import type { Params, RequestId } from '../../jsonrpc/message.ts';
import { isLogLevel } from '../../protocol/logging.ts';
import type { ConnectOptions } from '../connect-options.ts';
import { answerQuestion } from '../questions/answers.ts';
import { NotAnswerable } from '../questions/incoming-questions.ts';
import { type Change, parseChange } from '../subscriptions/subscription.ts';
import type { ConnectionLifecycle } from './connection-lifecycle.ts';
import type { ExtensionRegistry } from './extension-registry.ts';
import type { Observers } from './observers.ts';

/** The handlers of incoming messages. */
export interface IncomingMessageOptions {
  /** The options of the program: its answers, and its listener for log messages. */
  readonly program: ConnectOptions;
  readonly lifecycle: ConnectionLifecycle;
  readonly extensions: ExtensionRegistry;
  readonly observers: Observers | undefined;
  warn(text: string): void;
}

/** Handles what the server sends unasked: questions, notifications and log messages. */
export class IncomingMessages {
  /** Receive changes. In the stateless era `params` name the subscription. */
  readonly changeListeners: Set<(change: Change, params: Params) => void> = new Set();
  /** Receive acknowledgements of subscriptions. */
  readonly acknowledgementListeners: Set<(params: Params) => void> = new Set();
  /** Receive notifications of extensions. */
  readonly notificationListeners: Set<(method: string, params: Params) => void> = new Set();
  readonly #options: IncomingMessageOptions;

  constructor(options: IncomingMessageOptions) {
    this.#options = options;
  }

  /** Answers a request of the server, if the era allows the server to send any. */
  async onRequest(method: string, params: Params | undefined, signal: AbortSignal, id: RequestId): Promise<object> {
    const { program, lifecycle, warn } = this.#options;
    if (lifecycle.isOpen && lifecycle.agreement.revision.asksBy === 'result') {
      warn(`The server sent the request "${method}", which its era does not allow`);
      throw new NotAnswerable();
    }
    if (method === 'ping') return {};
    if (!lifecycle.isOpen && program.era === 'stateless') {
      throw new ProtocolError(ErrorCode.MethodNotFound, `Method not found: ${method}`);
    }
    return this.answerQuestion(method, params, signal, id);
  }

  /** Answers a question of the server; `id` is set if it came as a request. */
  answerQuestion(method: string, params: Params | undefined, signal: AbortSignal, id?: RequestId): Promise<object> {
    const { program, observers } = this.#options;
    const answer = (): Promise<object> => answerQuestion(program, method, params, { signal });
    if (observers === undefined) return answer();
    return observers.observeQuestion({ ...(id !== undefined && { id }), method, params }, answer);
  }

  /** Dispatches a notification to its listeners. */
  onNotification(method: string, params: Params): void {
    const change = parseChange(method, params);
    if (change !== undefined) {
      for (const listener of Array.from(this.changeListeners)) listener(change, params);
    } else if (method === 'notifications/message') {
      this.#onLogMessage(params);
    } else if (method === 'notifications/elicitation/complete') {
      const { elicitationId } = params;
      if (typeof elicitationId === 'string') this.#options.program.onElicitationComplete?.(elicitationId);
    } else if (method === 'notifications/subscriptions/acknowledged') {
      for (const listener of Array.from(this.acknowledgementListeners)) listener(params);
    } else {
      this.#onExtensionNotification(method, params);
    }
  }

  #onLogMessage({ level, logger, data }: Params): void {
    if (!isLogLevel(level)) return;
    this.#options.program.onLog?.({ level, data, ...(typeof logger === 'string' && { logger }) });
  }

  #onExtensionNotification(method: string, params: Params): void {
    const { lifecycle, extensions, warn } = this.#options;
    if (!lifecycle.isOpen) return;
    for (const listener of Array.from(this.notificationListeners)) listener(method, params);
    void extensions.dispatchNotification(lifecycle.agreement.revision.era, method, params, warn);
  }
}
