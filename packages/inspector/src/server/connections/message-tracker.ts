import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientObserver } from '@ccmcp/core/client';
import { previewCharacters } from '../../shared/api-paths.ts';
import type { LoggedMessage } from '../../shared/messages.ts';
import { type EventLog, roundMs } from '../log/event-log.ts';
import { type ParsedMessage, parseFrame, safeStringify } from '@ccmcp/core/recording';
import { reportedTasks, TaskTracker } from './task-tracker.ts';

/** The current call: messages sent meanwhile belong to it. */
export const currentCall: AsyncLocalStorage<string> = new AsyncLocalStorage<string>();

/** A request without a response. */
interface PendingRequest {
  readonly n: number;
  readonly method: string;
  readonly subject: string | undefined;
  readonly call: string | undefined;
  readonly since: number;
}

type Side = LoggedMessage['from'];

const callScopedNotifications = new Set(['notifications/message', 'notifications/tasks/status']);

/** Limit of pending requests. */
const maxPending = 10_000;

/** Logs every message of one connection, and attributes it to a call. */
export class MessageTracker {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #pending: Readonly<Record<Side, Map<string, PendingRequest>>> = { client: new Map(), server: new Map() };
  /** Calls by id of their request, set before the request is sent. */
  readonly #callsById = new Map<string, string>();
  readonly #tasks: TaskTracker;
  /** Running calls, in order. */
  readonly #running = new Set<string>();
  /** Running calls that requested a task. */
  readonly #taskCalls = new Set<string>();

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
    this.#tasks = new TaskTracker(log, connection);
  }

  /** Attributes requests of the client to calls, also across rounds and questions. */
  readonly observer: ClientObserver = {
    begin: ({ id }) => {
      const call = currentCall.getStore();
      if (call === undefined) return undefined;
      if (this.#callsById.size >= maxPending) this.#callsById.clear();
      this.#callsById.set(idKey(id), call);
      return { resume: (run) => currentCall.run(call, run), end: () => {} };
    },
    beginQuestion: ({ id }) => {
      const call = id === undefined ? undefined : this.#pending.server.get(idKey(id))?.call;
      return call === undefined ? undefined : { around: (answer) => currentCall.run(call, answer), end: () => {} };
    },
  };

  started(call: string): void {
    this.#running.add(call);
  }

  ended(call: string): void {
    this.#running.delete(call);
    this.#taskCalls.delete(call);
  }

  /** Handles a frame: a message, a batch, or garbage. */
  onFrame(from: Side, text: string, exchange?: { readonly id: string; readonly call: string | undefined }): void {
    for (const parsed of parseFrame(text)) this.#logMessage(from, parsed, exchange);
  }

  #logMessage(
    from: Side,
    parsed: ParsedMessage,
    exchange: { readonly id: string; readonly call: string | undefined } | undefined,
  ): void {
    const { text, kind, id, method } = parsed;
    const isAnswer = kind === 'result' || kind === 'error';
    const asked =
      isAnswer && id !== undefined ? this.#takePending(from === 'client' ? 'server' : 'client', id) : undefined;
    const call = asked?.call ?? this.#callOf(from, parsed) ?? exchange?.call ?? this.#onlyRunningCall(from, parsed);
    const subject = asked?.subject ?? parsed.subject;
    const named = asked?.method ?? method;
    const isLong = text.length > previewCharacters;
    const message: LoggedMessage = {
      connection: this.#connection,
      from,
      kind,
      ...(id !== undefined && { id }),
      ...(named !== undefined && { method: named }),
      ...(subject !== undefined && { subject }),
      ...(call !== undefined && { call }),
      ...(asked !== undefined && { answers: asked.n, ms: roundMs(performance.now() - asked.since) }),
      bytes: Buffer.byteLength(text),
      text: isLong ? text.slice(0, previewCharacters) : text,
      ...(isLong && { truncated: true as const }),
      ...(exchange !== undefined && { exchange: exchange.id }),
    };
    const { n } = this.#log.add('message', message, isLong ? text : undefined);
    if (kind === 'request' && id !== undefined && method !== undefined) {
      this.#addPending(from, id, { n, method, subject, call, since: performance.now() });
      if (from === 'client' && call !== undefined && parsed.params?.task !== undefined) this.#taskCalls.add(call);
    }
    this.#logNotification(parsed, call);
    if (from === 'server') this.#logTasks(parsed, call, asked?.method);
  }

  /** Logs progress and log notifications as events of their own. */
  #logNotification({ kind, method, params = {} }: ParsedMessage, call: string | undefined): void {
    if (kind !== 'notification') return;
    if (method === 'notifications/progress' && call !== undefined && typeof params.progress === 'number') {
      const { progress, total, message } = params;
      this.#log.add('progress', {
        call,
        progress,
        ...(typeof total === 'number' && { total }),
        ...(typeof message === 'string' && { message: message.slice(0, previewCharacters) }),
      });
    }
    if (method === 'notifications/message') {
      const { level, logger, data } = params;
      const text = typeof data === 'string' ? data : data === undefined ? '' : safeStringify(data);
      this.#log.add('log', {
        connection: this.#connection,
        ...(call !== undefined && { call }),
        level: (typeof level === 'string' ? level : safeStringify(level)).slice(0, 40),
        ...(typeof logger === 'string' && { logger: logger.slice(0, 200) }),
        data: text.slice(0, previewCharacters),
      });
    }
  }

  /** A call creates a task; `tasks/list` creates none. */
  #logTasks(parsed: ParsedMessage, call: string | undefined, answered: string | undefined): void {
    const inside = answered === 'tasks/list' ? undefined : call;
    for (const task of reportedTasks(parsed)) this.#tasks.update(task, inside, answered === 'tools/call');
  }

  #callOf(from: Side, { kind, id, method, params }: ParsedMessage): string | undefined {
    if (from === 'client' && kind === 'request' && id !== undefined) {
      const call = this.#callsById.get(idKey(id));
      this.#callsById.delete(idKey(id));
      return call ?? currentCall.getStore();
    }
    const about = method === 'notifications/cancelled' ? params?.requestId : params?.progressToken;
    const isId = typeof about === 'string' || typeof about === 'number';
    const open = isId ? (this.#pending.client.get(idKey(about)) ?? this.#pending.server.get(idKey(about))) : undefined;
    return open?.call ?? (from === 'server' ? this.#tasks.callOf(params) : undefined);
  }

  /**
   * Attributes requests and log messages of the server to the only running call. A task status counts only if that call requested a
   * task: the official SDK also creates tasks on its own.
   */
  #onlyRunningCall(from: Side, { kind, method }: ParsedMessage): string | undefined {
    const isOfCall = from === 'server' && (kind === 'request' || callScopedNotifications.has(method ?? ''));
    if (!isOfCall || this.#running.size !== 1) return undefined;
    const [only = ''] = this.#running;
    return method === 'notifications/tasks/status' && !this.#taskCalls.has(only) ? undefined : only;
  }

  #addPending(from: Side, id: string | number, open: PendingRequest): void {
    const known = this.#pending[from];
    const [oldest] = known.keys();
    if (known.size >= maxPending && oldest !== undefined) known.delete(oldest);
    known.set(idKey(id), open);
  }

  #takePending(from: Side, id: string | number): PendingRequest | undefined {
    const open = this.#pending[from].get(idKey(id));
    this.#pending[from].delete(idKey(id));
    return open;
  }
}

/** Request ids may be strings or numbers: `1` is not `"1"`. */
function idKey(id: string | number): string {
  return `${typeof id} ${id}`;
}
