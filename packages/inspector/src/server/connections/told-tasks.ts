import { previewCharacters } from '../../shared/addresses.ts';
import type { EventLog } from '../log/event-log.ts';
import { written } from '../log/written.ts';
import type { ToldTask } from './parse-frame.ts';

/** So many tasks are remembered. */
const mostKnown = 10_000;

/** What the server of one connection last told of each task, and the calls that began them. */
export class ToldTasks {
  readonly #log: EventLog;
  readonly #connection: string;
  readonly #known = new Map<string, { readonly call: string | undefined; readonly told: string }>();

  constructor(log: EventLog, connection: string) {
    this.#log = log;
    this.#connection = connection;
  }

  /** The call that began the task which a message is about: one that it tells of, or one that it belongs to. */
  callOf({ taskId, _meta: meta }: Readonly<Record<string, unknown>> = {}): string | undefined {
    const related = (meta as Readonly<Record<string, { taskId?: unknown } | undefined>> | undefined)?.[relatedTask];
    const about = taskId ?? related?.taskId;
    return typeof about === 'string' ? this.#known.get(about)?.call : undefined;
  }

  /** A task is asked for again and again: it is told of when it is another than before, in the call that began it. */
  tell(task: ToldTask, inside: string | undefined, isBeginning: boolean): void {
    const { taskId, status, statusMessage, result: _, inputRequests: __, ...value } = task;
    const before = this.#known.get(taskId);
    const told = written([status, statusMessage]);
    const call = isBeginning ? inside : (before?.call ?? inside);
    if (before?.told === told && before.call === call) return;
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(taskId, { call, told });
    this.#log.add('task', {
      connection: this.#connection,
      ...(call !== undefined && { call }),
      task: taskId.slice(0, previewCharacters),
      status: status.slice(0, 40),
      ...(typeof statusMessage === 'string' && { says: statusMessage.slice(0, previewCharacters) }),
      value,
    });
  }
}

/** Where servers say which task a message of theirs belongs to. */
const relatedTask = 'io.modelcontextprotocol/related-task';
