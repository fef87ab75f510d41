import { ErrorCode, ProtocolError } from '../../jsonrpc/errors.ts';
import { limits } from '../../limits.ts';
import { letEnd } from '../../runtime/timers.ts';
import type { Aside, AsideCall, AsideOutcome, AsideQuestion } from '../../server/aside.ts';
import { type TaskTemplate, fromTemplate } from './task-record.ts';
import { isFinal } from './protocol.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { toCancelled, truncateMessage, toFinished, toExpired, toInterrupted, isExpiredId } from './task-transitions.ts';
import type { TaskStore } from './task-store.ts';

/** What a task that runs here needs of its surroundings. */
export interface TaskRunHost {
  readonly store: TaskStore;
  readonly maxResult: number;
  /** True where others can not have taken the task, or ended it, because this instance was silent for too long. */
  isOwnershipCertain(run: TaskRun): boolean;
  /** Resolved when that is so again, or the task is no longer worked on here. */
  waitForOwnership(run: TaskRun): Promise<void>;
  /** True for the names of this instance, those included that it had. */
  owns(worker: string): boolean;
  /** The task is over here: it has ended, or another instance has it. */
  onRunEnded(run: TaskRun): void;
  reportError(message: string, error: unknown): void;
}

type Answer = Record<string, unknown>;

interface PendingAnswer {
  readonly promise: Promise<Answer>;
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** What of the work's progress is still to be written, and when something was written last. */
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
 * A task while its handler runs in this process: writes down what the handler asks and tells, and tells the handler what
 * others wrote. All that is new is written together, one change at a time.
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

  /** A task with what is known of it. */
  constructor(id: string, known: TaskRecord | TaskTemplate, host: TaskRunHost) {
    this.id = id;
    this.#known = known;
    this.#host = host;
  }

  /** The task as it is known here, without what is to be done. */
  get record(): TaskRecord {
    return 'id' in this.#known ? this.#known : fromTemplate(this.id, this.#known);
  }

  /** The version in which it is known here. */
  get version(): number {
    return this.#known.version;
  }

  /** True where its time is over. */
  get hasExpired(): boolean {
    return isExpiredId(this.id);
  }

  /** True while a question waits for its answer. */
  get isWaiting(): boolean {
    return this.#pendingAnswers !== undefined && this.#pendingAnswers.size > 0;
  }

  /** True where it is no longer worked on here, or is about to be no longer. */
  get isOver(): boolean {
    return this.#over || this.#finalChanges !== undefined;
  }

  /** Gets hold of the call that does the work. */
  attach(call: AsideCall): void {
    this.#call = call;
    if (this.#known.cancelling) this.#cancel();
  }

  /**
   * Runs the handler, unless the task was cancelled before. Where it may not run twice, it is made sure that others have not
   * taken it for interrupted. Without a promise of its own: thousands of tasks may wait here.
   */
  run(run: () => unknown): unknown {
    if (this.#cancelling) throw abortError('The task was cancelled');
    if (this.isOver) throw abortError('The task is no longer worked on here');
    return this.#known.runsAgain || this.#host.isOwnershipCertain(this)
      ? run()
      : this.#host.waitForOwnership(this).then(() => this.run(run));
  }

  /** A handler that gives up because it was told to has not failed: the task is cancelled then. */
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

  /** This process ends: where the handler may run again, another one goes on. Resolved when that is written. */
  async release(): Promise<void> {
    const { runsAgain } = this.#known;
    this.#abandon(this.#cancelling ? toCancelled() : runsAgain ? { worker: '' } : toInterrupted());
    await this.#scheduleWrite();
  }

  /** Takes what others wrote of the task; undefined: it is gone. */
  apply(record: TaskRecord | undefined): void {
    if (this.#over) return;
    if (record === undefined || isFinal(record.status) || !this.#host.owns(record.worker)) {
      this.#stop('The task is no longer worked on here');
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

  /** Looks at what others wrote. */
  async refresh(): Promise<void> {
    this.apply(await this.#host.store.read(this.id));
  }

  /** Writes what is new, where something is. What can't be written is tried again with the next beat. */
  flush(): void {
    if (!this.#hasUnsaved || this.#over) return;
    this.#scheduleWrite().catch((error: unknown) => this.#host.reportError('A task could not be written down', error));
  }

  /** What comes in one turn goes together. */
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
    // On the list first: what is on none is found by nobody.
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
    this.#rejectAll('The task is no longer worked on here');
    this.#call?.cancel('The task is no longer worked on here');
    this.flush();
  }

  /** Tells the handler to stop, and waits for that, but not for ever. */
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
  // What was answered before somebody else began to work on the task is not asked again.
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
