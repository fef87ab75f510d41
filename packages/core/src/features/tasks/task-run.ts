import { unref } from '../../runtime/timers.ts';
import type { Job, JobHandle, JobOutcome, JobQuestion } from '../../server/call/background-job.ts';
import { type TaskTemplate, fromTemplate, type TaskChanges, type TaskRecord } from './task-record.ts';
import { isFinal } from './protocol.ts';
import { toCancelled, truncateMessage, toFinished, toExpired, toInterrupted } from './task-transitions.ts';
import type { WorkerHeartbeat } from './worker-heartbeat.ts';
import type { TaskOwnership } from './task-ownership.ts';
import { type Answer, TaskQuestions } from './task-questions.ts';
import type { TaskStore } from './task-store.ts';

/** Timeout for the handler of a cancelled task to stop; after it, the task counts as cancelled anyway. */
const cancelMs = 3 * 1000;

/** Minimum interval between two stored progress messages. */
const progressMs = 250;

/** The parts of the runner that a running task uses. */
export interface TaskRunHost {
  readonly store: TaskStore;
  readonly maxResult: number;
  readonly heartbeat: WorkerHeartbeat;
  readonly ownership: TaskOwnership;
  /** Called when the task has ended here, or another instance has it. */
  onRunEnded(run: TaskRun): void;
  reportError(message: string, error: unknown): void;
}

/** Progress not written yet, and the time of the last write. */
class Progress {
  message: string | undefined;
  lastWrite = Number.NEGATIVE_INFINITY;
  timer: NodeJS.Timeout | undefined;

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/**
 * A task whose handler runs in this process: writes the handler's questions and progress to the store, and passes
 * answers and cancellation to the handler. Pending writes are batched.
 */
export class TaskRun implements Job {
  readonly id: string;
  #known: TaskRecord | TaskTemplate;
  readonly #host: TaskRunHost;
  #call: JobHandle | undefined;
  // Declared, so that they take no memory until they are set: thousands of tasks may wait.
  declare private questions?: TaskQuestions;
  declare private finalChanges?: TaskChanges;
  #progress: Progress | undefined;
  #cancelling = false;
  #over = false;
  #writer: Promise<void> | undefined;

  /** A task with its known state. */
  constructor(id: string, known: TaskRecord | TaskTemplate, host: TaskRunHost) {
    this.id = id;
    this.#known = known;
    this.#host = host;
  }

  /** The known state, without the call. */
  get record(): TaskRecord {
    return 'id' in this.#known ? this.#known : fromTemplate(this.id, this.#known);
  }

  /** The known version. */
  get version(): number {
    return this.#known.version;
  }

  /** True while a question is open. */
  get isWaiting(): boolean {
    return this.questions?.isWaiting === true;
  }

  /** True if the task has left this instance, or is about to. */
  get isOver(): boolean {
    return this.#over || this.finalChanges !== undefined;
  }

  /** Attaches the call that runs the handler. */
  attach(call: JobHandle): void {
    this.#call = call;
    if (this.#known.cancelling) this.#cancel();
  }

  /**
   * Runs the handler, unless the task was cancelled. A handler that may not run twice waits until ownership is certain.
   * Returns no promise of its own, since thousands of tasks may wait here.
   */
  run(run: () => unknown): unknown {
    if (this.#cancelling) throw abortError('The task was cancelled');
    if (this.isOver) throw abortError('The task no longer runs here');
    return this.#known.runsAgain || this.#host.ownership.isCertain(this)
      ? run()
      : this.#host.ownership.waitUntilCertain(this).then(() => this.run(run));
  }

  /** A handler that stops because of the cancellation has not failed: the task is cancelled. */
  onHandlerFailed(): void {
    if (this.#cancelling) this.#call?.cancel();
  }

  ask(question: JobQuestion): Promise<Answer> {
    const { key } = question;
    const { answers, questions } = this.#known;
    if (Object.hasOwn(answers, key)) return Promise.resolve(answers[key] as Answer);
    if (this.#over || this.#cancelling) return Promise.reject(abortError('The task was cancelled'));
    this.questions ??= new TaskQuestions();
    const isKnown = Object.hasOwn(questions, key);
    const answer = this.questions.ask(question, { isKnown, answered: Object.keys(answers).length });
    this.flush();
    return answer;
  }

  progress(progress: number, total?: number, message?: string): void {
    this.#progress ??= new Progress();
    this.#progress.message = statusMessage(progress, total, message);
    const left = this.#progress.lastWrite + progressMs - performance.now();
    if (left <= 0) this.flush();
    else this.#progress.timer ??= unref(setTimeout(() => this.flush(), left));
  }

  end(outcome: JobOutcome | undefined): void {
    const { tool } = this.#known;
    const { maxResult } = this.#host;
    const failed = (error: unknown): void =>
      this.#host.reportError(`What came of Tool "${tool}" can not be kept: it can not be written as JSON`, error);
    this.finalChanges ??= toFinished(outcome, { tool, maxResult, failed });
    this.flush();
  }

  /** The time of the task is over. */
  expire(): void {
    this.#abandon(toExpired(this.#known));
  }

  /**
   * Releases the task because this process ends: another instance continues if the handler may run again. Resolves when
   * that is stored.
   */
  async release(): Promise<void> {
    const { runsAgain } = this.#known;
    this.#abandon(this.#cancelling ? toCancelled() : runsAgain ? { worker: '' } : toInterrupted());
    await this.#scheduleWrite();
  }

  /** Applies the stored state; undefined: the task is gone. */
  apply(record: TaskRecord | undefined): void {
    if (this.#over) return;
    if (record === undefined || isFinal(record.status) || !this.#host.heartbeat.owns(record.worker)) {
      this.#stop('The task no longer runs here');
      return;
    }
    if (record.version < this.version) return;
    this.#known = { ...record, call: undefined };
    this.questions?.answer(record.answers);
    if (record.cancelling) this.#cancel();
  }

  /** Writes pending changes. A failed write is retried with the next heartbeat. */
  flush(): void {
    if (!this.#hasUnsaved || this.#over) return;
    this.#scheduleWrite().catch((error: unknown) => this.#host.reportError('A task could not be stored', error));
  }

  /** Batches the changes of one tick. */
  #scheduleWrite(): Promise<void> {
    this.#progress?.stop();
    const writeAll = async (): Promise<void> => {
      while (this.#hasUnsaved && !this.#over) await this.#writePending();
    };
    this.#writer ??= Promise.resolve()
      .then(writeAll)
      .finally(() => {
        this.#writer = undefined;
      });
    return this.#writer;
  }

  get #hasUnsaved(): boolean {
    return (
      this.finalChanges !== undefined || this.questions?.unsaved !== undefined || this.#progress?.message !== undefined
    );
  }

  async #writePending(): Promise<void> {
    const { id } = this;
    this.#progress ??= new Progress();
    const progress = this.#progress;
    const [questions, message, finalChanges] = [this.questions?.unsaved, progress.message, this.finalChanges];
    progress.lastWrite = performance.now();
    const before = this.record;
    const isFree = finalChanges?.worker === '';
    // Listed first: a task on no list is never found.
    if (isFree) await this.#host.store.workers.assign(id, '');
    const written = await this.#host.store.update(
      id,
      (record) => {
        if (!this.#host.heartbeat.owns(record.worker)) return undefined;
        return finalChanges ?? pendingChanges(record, questions, message);
      },
      before,
    );
    if (this.questions !== undefined && this.questions.unsaved === questions) this.questions.unsaved = undefined;
    if (progress.message === message) progress.message = undefined;
    if (finalChanges === undefined) this.apply(written);
    else {
      if (written !== undefined) this.#known = written;
      this.#stop('The task is over');
    }
    if (written !== undefined && written.version > before.version) await this.#host.store.publish(written, isFree);
  }

  #abandon(finalChanges: TaskChanges): void {
    this.finalChanges ??= finalChanges;
    this.questions?.rejectAll(abortError('The task no longer runs here'));
    this.#call?.cancel('The task no longer runs here');
    this.flush();
  }

  /** Aborts the handler, and waits for it with a timeout. */
  #cancel(): void {
    if (this.#cancelling || this.finalChanges !== undefined) return;
    this.#cancelling = true;
    const reason = 'The task was cancelled';
    this.#call?.stop(abortError(reason));
    this.questions?.rejectAll(abortError(reason));
    unref(setTimeout(() => this.#call?.cancel(reason), cancelMs));
  }

  #stop(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#progress?.stop();
    this.#host.onRunEnded(this);
    this.questions?.rejectAll(abortError(reason));
    this.#call?.cancel(reason);
  }
}

function pendingChanges(
  record: TaskRecord,
  questions: ReadonlyMap<string, JobQuestion> | undefined,
  message: string | undefined,
): TaskChanges {
  const changes: { -readonly [K in keyof TaskChanges]: TaskChanges[K] } = {};
  if (message !== undefined) changes.statusMessage = message;
  // Questions that were answered before a takeover are not asked again.
  const open = Array.from(questions ?? []).filter(([key]) => !Object.hasOwn(record.answers, key));
  if (open.length > 0) {
    const added = open.map(([key, { method, params }]) => [
      key,
      params === undefined ? { method } : { method, params },
    ]);
    changes.questions = { ...record.questions, ...Object.fromEntries(added) };
    changes.status = 'input_required';
  }
  return changes;
}

function statusMessage(progress: number, total: number | undefined, message: string | undefined): string {
  const amount = total === undefined ? undefined : `${progress} of ${total}`;
  return truncateMessage([amount, message].filter((part) => part !== undefined).join(': ') || String(progress));
}

function abortError(reason: string): DOMException {
  return new DOMException(reason, 'AbortError');
}
