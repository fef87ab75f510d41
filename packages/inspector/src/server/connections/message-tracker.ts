import type { ClientObserver } from '@ccmcp/core/client';
import { previewCharacters } from '../../shared/api-paths.ts';
import type { SeenMessage } from '../../shared/messages.ts';
import type { EventLog } from '../log/event-log.ts';
import { written } from '../log/safe-stringify.ts';
import { type Parsed, parseFrame } from './parse-frame.ts';
import { ToldTasks } from './task-tracker.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The call that is being made: what is sent meanwhile belongs to it. */
export const inCall: AsyncLocalStorage<string> = new AsyncLocalStorage<string>();

/** A request that is not answered yet. */
interface Open {
  readonly n: number;
  readonly method: string;
  readonly subject: string | undefined;
  readonly call: string | undefined;
  readonly since: number;
}

type Side = SeenMessage['from'];

const saidInCalls = new Set(['notifications/message', 'notifications/tasks/status']);

/** So many requests without an answer are remembered. */
const mostOpen = 10_000;

/** Sees every message of one connection as it passes, and tells which call it belongs to. */
export class Wire {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #open: Readonly<Record<Side, Map<string, Open>>> = { client: new Map(), server: new Map() };
  /** The calls that requests of ours belong to, from before they are sent. */
  readonly #calls = new Map<string, string>();
  readonly #tasks: ToldTasks;
  /** The calls that run, in the order in which they began. */
  readonly #running = new Set<string>();
  /** Those of them that asked for a task. */
  readonly #askedTask = new Set<string>();

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
    this.#tasks = new ToldTasks(log, connection);
  }

  /** Tells requests of the client apart by the calls in which they are made, and keeps to those through rounds and questions. */
  readonly observer: ClientObserver = {
    begin: ({ id }) => {
      const call = inCall.getStore();
      if (call === undefined) return undefined;
      if (this.#calls.size >= mostOpen) this.#calls.clear();
      this.#calls.set(keyOf(id), call);
      return { goOn: (run) => inCall.run(call, run), end: () => {} };
    },
    beginQuestion: ({ id }) => {
      const call = id === undefined ? undefined : this.#open.server.get(keyOf(id))?.call;
      return call === undefined ? undefined : { around: (answer) => inCall.run(call, answer), end: () => {} };
    },
  };

  started(call: string): void {
    this.#running.add(call);
  }

  ended(call: string): void {
    this.#running.delete(call);
    this.#askedTask.delete(call);
  }

  /** A text passed that is a message, several of them, or should be one. */
  saw(from: Side, text: string, exchange?: { readonly id: string; readonly call: string | undefined }): void {
    for (const parsed of parseFrame(text)) this.#tell(from, parsed, exchange);
  }

  #tell(
    from: Side,
    parsed: Parsed,
    exchange: { readonly id: string; readonly call: string | undefined } | undefined,
  ): void {
    const { text, kind, id, method } = parsed;
    const isAnswer = kind === 'result' || kind === 'error';
    const asked = isAnswer && id !== undefined ? this.#take(from === 'client' ? 'server' : 'client', id) : undefined;
    const call = asked?.call ?? this.#callOf(from, parsed) ?? exchange?.call ?? this.#only(from, parsed);
    const subject = asked?.subject ?? parsed.subject;
    const named = asked?.method ?? method;
    const isLong = text.length > previewCharacters;
    const message: SeenMessage = {
      connection: this.#connection,
      from,
      kind,
      ...(id !== undefined && { id }),
      ...(named !== undefined && { method: named }),
      ...(subject !== undefined && { subject }),
      ...(call !== undefined && { call }),
      ...(asked !== undefined && { answers: asked.n, ms: round(performance.now() - asked.since) }),
      bytes: Buffer.byteLength(text),
      text: isLong ? text.slice(0, previewCharacters) : text,
      ...(isLong && { cut: true as const }),
      ...(exchange !== undefined && { exchange: exchange.id }),
    };
    const { n } = this.#log.add('message', message, isLong ? text : undefined);
    if (kind === 'request' && id !== undefined && method !== undefined) {
      this.#remember(from, id, { n, method, subject, call, since: performance.now() });
      if (from === 'client' && call !== undefined && parsed.params?.task !== undefined) this.#askedTask.add(call);
    }
    this.#tellMore(parsed, call);
    if (from === 'server') this.#tellTasks(parsed, call, asked?.method);
  }

  /** Says in terms of their own what of a message is more than a message. */
  #tellMore({ kind, method, params = {} }: Parsed, call: string | undefined): void {
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
      const text = typeof data === 'string' ? data : data === undefined ? '' : written(data);
      this.#log.add('log', {
        connection: this.#connection,
        ...(call !== undefined && { call }),
        level: (typeof level === 'string' ? level : written(level)).slice(0, 40),
        ...(typeof logger === 'string' && { logger: logger.slice(0, 200) }),
        data: text.slice(0, previewCharacters),
      });
    }
  }

  /** A call begins a task; whoever lists them began none of them. */
  #tellTasks({ tasks = [] }: Parsed, call: string | undefined, answered: string | undefined): void {
    const inside = answered === 'tasks/list' ? undefined : call;
    for (const task of tasks) this.#tasks.tell(task, inside, answered === 'tools/call');
  }

  #callOf(from: Side, { kind, id, method, params }: Parsed): string | undefined {
    if (from === 'client' && kind === 'request' && id !== undefined) {
      const call = this.#calls.get(keyOf(id));
      this.#calls.delete(keyOf(id));
      return call ?? inCall.getStore();
    }
    const about = method === 'notifications/cancelled' ? params?.requestId : params?.progressToken;
    const isId = typeof about === 'string' || typeof about === 'number';
    const open = isId ? (this.#open.client.get(keyOf(about)) ?? this.#open.server.get(keyOf(about))) : undefined;
    return open?.call ?? (from === 'server' ? this.#tasks.callOf(params) : undefined);
  }

  /**
   * What a server says for itself while one call runs is said in that call, as far as one can tell. The state of a task is so only
   * where the call asked for one: the official library also makes tasks of its own, for tools that may be called in both ways.
   */
  #only(from: Side, { kind, method }: Parsed): string | undefined {
    const isOfCall = from === 'server' && (kind === 'request' || saidInCalls.has(method ?? ''));
    if (!isOfCall || this.#running.size !== 1) return undefined;
    const [only = ''] = this.#running;
    return method === 'notifications/tasks/status' && !this.#askedTask.has(only) ? undefined : only;
  }

  #remember(from: Side, id: string | number, open: Open): void {
    const known = this.#open[from];
    const [oldest] = known.keys();
    if (known.size >= mostOpen && oldest !== undefined) known.delete(oldest);
    known.set(keyOf(id), open);
  }

  #take(from: Side, id: string | number): Open | undefined {
    const open = this.#open[from].get(keyOf(id));
    this.#open[from].delete(keyOf(id));
    return open;
  }
}

/** Ids of requests may be texts or numbers, and `1` is not `"1"`. */
function keyOf(id: string | number): string {
  return `${typeof id} ${id}`;
}

/** Milliseconds, to thousandths. */
export function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
