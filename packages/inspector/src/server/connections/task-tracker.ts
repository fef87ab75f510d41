import { limits } from '@ccmcp/core';
import { previewCharacters } from '../../shared/api-paths.ts';
import { taskIsOver } from '../../shared/calls.ts';
import type { EventLog } from '../log/event-log.ts';
import { written } from '../log/safe-stringify.ts';
import type { ToldTask } from './parse-frame.ts';

const most = limits.inspector.tasks.value;
/** What more a server says of a task, in characters of JSON. */
const longestValue = 4000;
const tooMany = `The server tells of more than ${most} tasks that run: others are seen as messages only`;

interface Known {
  readonly call: string | undefined;
  readonly status: string;
  readonly says: string | undefined;
}

/** What the server of one connection last told of each task, and the calls that began them. */
export class ToldTasks {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #running = new Map<string, Known>();
  readonly #over = new Map<string, Known>();
  #isFull = false;

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** The call that began the task which a message is about: one that it tells of, or one that it belongs to. */
  callOf({ taskId, _meta: meta }: Readonly<Record<string, unknown>> = {}): string | undefined {
    const related = (meta as Readonly<Record<string, { taskId?: unknown } | undefined>> | undefined)?.[relatedTask];
    const about = taskId ?? related?.taskId;
    return typeof about === 'string' ? this.#known(shortened(about))?.call : undefined;
  }

  /** A task is asked for again and again: it is told of when it is another than before, in the call that began it. */
  tell(told: ToldTask, inside: string | undefined, isBeginning: boolean): void {
    const { taskId, status: now, statusMessage, result: _, inputRequests: __, ...value } = told;
    const [task, status] = [shortened(taskId), now.slice(0, 40)];
    const says = typeof statusMessage === 'string' ? shortened(statusMessage) : undefined;
    const before = this.#known(task);
    const call = isBeginning ? inside : (before?.call ?? inside);
    if (before?.status === status && before.says === says && before.call === call) return;
    if (!this.#remember(task, { call, status, says })) return;
    this.#log.add('task', {
      connection: this.#connection,
      ...(call !== undefined && { call }),
      task,
      status,
      ...(says !== undefined && { says }),
      value: written(value).length > longestValue ? {} : value,
    });
  }

  #known(task: string): Known | undefined {
    return this.#running.get(task) ?? this.#over.get(task);
  }

  /** Remembers what was told; false where too many run to remember another one. */
  #remember(task: string, known: Known): boolean {
    const hasEnded = taskIsOver(known.status);
    if (!hasEnded && this.#running.size >= most && !this.#running.has(task)) {
      if (!this.#isFull) this.#log.add('warning', { connection: this.#connection, says: tooMany });
      this.#isFull = true;
      return false;
    }
    this.#running.delete(task);
    this.#over.delete(task);
    const [oldest] = this.#over.keys();
    if (hasEnded && this.#over.size >= most && oldest !== undefined) this.#over.delete(oldest);
    (hasEnded ? this.#over : this.#running).set(task, known);
    return true;
  }
}

function shortened(text: string): string {
  return text.slice(0, previewCharacters);
}

/** Where servers say which task a message of theirs belongs to. */
const relatedTask = 'io.modelcontextprotocol/related-task';
