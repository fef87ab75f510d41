import { previewCharacters } from '../../shared/api-paths.ts';
import { isTaskFinished } from '../../shared/calls.ts';
import type { EventLog } from '../log/event-log.ts';
import { safeStringify } from '../log/safe-stringify.ts';
import type { ReportedTask } from './parse-frame.ts';

/** Maximum number of running tasks to track per connection, and of finished ones. */
const maxTasks = 10_000;
/** Maximum stored length of a task's other fields, in characters of JSON. */
const maxValueLength = 4000;
const tooManyTasks = `The server reports more than ${maxTasks} running tasks: further ones appear as messages only`;

interface TaskRecord {
  readonly call: string | undefined;
  readonly status: string;
  readonly message: string | undefined;
}

/** Latest state of each task of one connection, and the call that created it. */
export class TaskTracker {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #running = new Map<string, TaskRecord>();
  readonly #finished = new Map<string, TaskRecord>();
  #isFull = false;

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** The call that created the task of a message. */
  callOf({ taskId, _meta: meta }: Readonly<Record<string, unknown>> = {}): string | undefined {
    const related = (meta as Readonly<Record<string, { taskId?: unknown } | undefined>> | undefined)?.[relatedTask];
    const about = taskId ?? related?.taskId;
    return typeof about === 'string' ? this.#find(truncate(about))?.call : undefined;
  }

  /** Logs a task if it changed since the last poll. */
  update(reported: ReportedTask, inside: string | undefined, isBeginning: boolean): void {
    const { taskId, status: now, statusMessage, result: _, inputRequests: __, ...value } = reported;
    const [task, status] = [truncate(taskId), now.slice(0, 40)];
    const message = typeof statusMessage === 'string' ? truncate(statusMessage) : undefined;
    const before = this.#find(task);
    const call = isBeginning ? inside : (before?.call ?? inside);
    if (before?.status === status && before.message === message && before.call === call) return;
    if (!this.#store(task, { call, status, message })) return;
    this.#log.add('task', {
      connection: this.#connection,
      ...(call !== undefined && { call }),
      task,
      status,
      ...(message !== undefined && { message }),
      value: safeStringify(value).length > maxValueLength ? {} : value,
    });
  }

  #find(task: string): TaskRecord | undefined {
    return this.#running.get(task) ?? this.#finished.get(task);
  }

  /** Stores a task; false if too many are running. */
  #store(task: string, known: TaskRecord): boolean {
    const hasEnded = isTaskFinished(known.status);
    if (!hasEnded && this.#running.size >= maxTasks && !this.#running.has(task)) {
      if (!this.#isFull) this.#log.add('warning', { connection: this.#connection, message: tooManyTasks });
      this.#isFull = true;
      return false;
    }
    this.#running.delete(task);
    this.#finished.delete(task);
    const [oldest] = this.#finished.keys();
    if (hasEnded && this.#finished.size >= maxTasks && oldest !== undefined) this.#finished.delete(oldest);
    (hasEnded ? this.#finished : this.#running).set(task, known);
    return true;
  }
}

function truncate(text: string): string {
  return text.slice(0, previewCharacters);
}

/** `_meta` key of the related task. */
const relatedTask = 'io.modelcontextprotocol/related-task';
