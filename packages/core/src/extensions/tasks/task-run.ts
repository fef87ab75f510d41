import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { Aside, AsideCall, AsideOutcome, AsideQuestion } from '../../server/call/background-job.ts';
import { type TaskTemplate, fromTemplate } from './task-record.ts';
import { isFinal } from './protocol.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { toCancelled, truncateMessage, toFinished, toExpired, toInterrupted, isExpiredId } from './task-transitions.ts';
import type { TaskStore } from './task-store.ts';

/** What a running task needs of its runner. */
export interface TaskRunHost {
  readonly store: TaskStore;
  readonly maxResult: number;
  /** True if no other instance can have taken over or ended the task because this one was silent. */
  isOwnershipCertain(run: TaskRun): boolean;
  /** Resolves when ownership is certain again, or the task has left this instance. */
  waitForOwnership(run: TaskRun): Promise<void>;
  /** True for the current and former ids of this instance. */
  owns(worker: string): boolean;
  /** Called when the task has ended here, or another instance has it. */
  onRunEnded(run: TaskRun): void;
  reportError(message: string, error: unknown): void;
}

type Answer = Record<string, unknown>;

interface PendingAnswer {
  readonly promise: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
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
export class TaskRun implements Aside {
  readonly id: string;
  #known: TaskRecord | TaskTemplate;
  readonly #host: TaskRunHost;
  #call: AsideCall | undefined;
  #pendingAnswers: Map<string, PendingAnswer> | undefined;
  #newQuestions: Map<string, AsideQuestion> | undefined;
  #progress: Progress | undefined;
  #finalChanges: TaskChanges | undefined;
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

  /** True if its time is over. */
  get hasExpired(): boolean {
    return isExpiredId(this.id);
  }

  /** True while a question is open. */
  get isWaiting(): boolean {
    return this.#pendingAnswers !== undefined && this.#pendingAnswers.size > 0;
  }

  /** True if the task has left this instance, or is about to. */
  get isOver(): boolean {
    return this.#over || this.#finalChanges !== undefined;
  }

  /** Attaches the call that runs the handler. */
  attach(call: AsideCall): void {
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
    return this.#known.runsAgain || this.#host.isOwnershipCertain(this)
      ? run()
      : this.#host.waitForOwnership(this).then(() => this.run(run));
  }

  /** A handler that stops because of the cancellation has not failed: the task is cancelled. */
  gaveUp(): void {
    if (this.#cancelling) this.#call?.cancel();
  }

  ask(question: AsideQuestion): Promise<Answer> {
    const { key } = question;
    const { answers, questions } = this.#known;
    if (Object.hasOwn(answers, key)) return Promise.resolve(answers[key] as Answer);
    if (this.#over || this.#cancelling) return Promise.reject(abortError('The task was cancelled'));
    this.#pendingAnswers ??= new Map();
    const known = this.#pendingAnswers.get(key);
    if (known !== undefined) return known.promise;
    if (!Object.hasOwn(questions, key)) {
      const count = Object.keys(answers).length + this.#pendingAnswers.size;
      assertQuestionAllowed(question, count);
      this.#newQuestions ??= new Map();
      this.#newQuestions.set(key, question);
    }
    const waiting = createPendingAnswer();
    this.#pendingAnswers.set(key, waiting);
    this.flush();
    return waiting.promise;
  }

  progress(progress: number, total?: number, message?: string): void {
    this.#progress ??= new Progress();
    this.#progress.message = statusMessage(progress, total, message);
    const left = this.#progress.lastWrite + limits.tasks.progressMs.value - performance.now();
    if (left <= 0) this.flush();
    else this.#progress.timer ??= letEnd(setTimeout(() => this.flush(), left));
  }

  end(outcome: AsideOutcome | undefined): void {
    const { tool } = this.#known;
    const { maxResult } = this.#host;
    const failed = (error: unknown): void =>
      this.#host.reportError(`What came of Tool "${tool}" can not be kept: it can not be written as JSON`, error);
    this.#finalChanges ??= toFinished(outcome, { tool, maxResult, failed });
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
    if (record === undefined || isFinal(record.status) || !this.#host.owns(record.worker)) {
      this.#stop('The task no longer runs here');
      return;
    }
    if (record.version < this.version) return;
    this.#known = { ...record, call: undefined };
    for (const [key, waiting] of this.#pendingAnswers ?? []) {
      if (!Object.hasOwn(record.answers, key)) continue;
      this.#pendingAnswers?.delete(key);
      waiting.resolve(record.answers[key] as Answer);
    }
    if (record.cancelling) this.#cancel();
  }

  /** Reads and applies the stored state. */
  async refresh(): Promise<void> {
    this.apply(await this.#host.store.read(this.id));
  }

  /** Writes pending changes. A failed write is retried with the next heartbeat. */
  flush(): void {
    if (!this.#hasUnsaved || this.#over) return;
    this.#scheduleWrite().catch((error: unknown) => this.#host.reportError('A task could not be stored', error));
  }

  /** Batches the changes of one tick. */
  #scheduleWrite(): Promise<void> {
    this.#progress?.stop();
    this.#writer ??= Promise.resolve().then(() => this.#writeAll());
    return this.#writer;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#hasUnsaved && !this.#over) await this.#writePending();
    } finally {
      this.#writer = undefined;
    }
  }

  get #hasUnsaved(): boolean {
    return (
      this.#finalChanges !== undefined || this.#newQuestions !== undefined || this.#progress?.message !== undefined
    );
  }

  async #writePending(): Promise<void> {
    const { id } = this;
    this.#progress ??= new Progress();
    const progress = this.#progress;
    const [questions, message, finalChanges] = [this.#newQuestions, progress.message, this.#finalChanges];
    progress.lastWrite = performance.now();
    const before = this.record;
    const isFree = finalChanges?.worker === '';
    // Listed first: nobody finds a task that is on no list.
    if (isFree) await this.#host.store.assign(id, '');
    const written = await this.#host.store.update(
      id,
      (record) => {
        if (!this.#host.owns(record.worker)) return undefined;
        return finalChanges ?? pendingChanges(record, questions, message);
      },
      before,
    );
    if (this.#newQuestions === questions) this.#newQuestions = undefined;
    if (progress.message === message) progress.message = undefined;
    if (finalChanges === undefined) this.apply(written);
    else this.#finish(written);
    if (written !== undefined && written.version > before.version) await this.#host.store.publish(written, isFree);
  }

  #finish(written: TaskRecord | undefined): void {
    if (written !== undefined) this.#known = written;
    this.#stop('The task is over');
  }

  #abandon(finalChanges: TaskChanges): void {
    this.#finalChanges ??= finalChanges;
    this.#rejectAll('The task no longer runs here');
    this.#call?.cancel('The task no longer runs here');
    this.flush();
  }

  /** Aborts the handler, and waits for it with a timeout. */
  #cancel(): void {
    if (this.#cancelling || this.#finalChanges !== undefined) return;
    this.#cancelling = true;
    const reason = 'The task was cancelled';
    this.#call?.stop(abortError(reason));
    this.#rejectAll(reason);
    letEnd(setTimeout(() => this.#call?.cancel(reason), limits.tasks.cancelMs.value));
  }

  #stop(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#progress?.stop();
    this.#host.onRunEnded(this);
    this.#rejectAll(reason);
    this.#call?.cancel(reason);
  }

  #rejectAll(reason: string): void {
    const waiting = [...(this.#pendingAnswers?.values() ?? [])];
    this.#pendingAnswers = undefined;
    for (const { reject } of waiting) reject(abortError(reason));
  }
}

function pendingChanges(
  record: TaskRecord,
  questions: ReadonlyMap<string, AsideQuestion> | undefined,
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

function assertQuestionAllowed({ method, params }: AsideQuestion, questions: number): void {
  const [most, longest] = [limits.tasks.questions.value, limits.tasks.questionLength.value];
  const refuse = (what: string): never => {
    throw new ProtocolError(ErrorCode.InternalError, `A task can't ask "${method}": ${what}`);
  };
  if (questions >= most) refuse(`it may ask ${most} times`);
  if (JSON.stringify(params ?? {}).length > longest) refuse(`a question may have ${longest} characters`);
}

function statusMessage(progress: number, total: number | undefined, message: string | undefined): string {
  const amount = total === undefined ? undefined : `${progress} of ${total}`;
  return truncateMessage([amount, message].filter((part) => part !== undefined).join(': ') || String(progress));
}

function abortError(reason: string): DOMException {
  return new DOMException(reason, 'AbortError');
}

function createPendingAnswer(): PendingAnswer {
  const waiting = {} as { -readonly [K in keyof PendingAnswer]: PendingAnswer[K] };
  waiting.promise = new Promise((resolve, reject) => {
    waiting.resolve = resolve;
    waiting.reject = reject;
  });
  return waiting;
}
