import { previewCharacters } from '../../shared/api-paths.ts';
import { isTaskFinished } from '../../shared/calls.ts';
import { isRecord } from '../../shared/json.ts';
import type { EventLog } from '../log/event-log.ts';
import { type ParsedMessage, safeStringify } from '@ccmcp/core/recording';

/** Maximum number of running tasks to track per connection, and of finished ones. */
const maxTasks = 10_000;
/** Maximum stored length of a task's other fields, in characters of JSON. */
const maxValueLength = 4000;
const tooManyTasks = `The server reports more than ${maxTasks} running tasks: further ones appear as messages only`;

/** A task as the server reports it. */
interface ReportedTask {
  readonly taskId: string;
  readonly status: string;
  readonly [name: string]: unknown;
}

/** The tasks that a message reports. Earlier revisions nest them one level deeper, or list them. */
export function reportedTasks({ kind, params, value }: ParsedMessage): readonly ReportedTask[] {
  const report = kind === 'notification' ? params : kind === 'result' && isRecord(value) ? value.result : undefined;
  if (!isRecord(report)) return [];
  const { task, tasks } = report;
  return [report, task, ...(Array.isArray(tasks) ? tasks : [])].filter(isTask);
}

function isTask(value: unknown): value is ReportedTask {
  return isRecord(value) && typeof value.taskId === 'string' && typeof value.status === 'string';
}

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
