import { LinkedList, ListNode } from '../../stores/memory/linked-list.ts';
import { isWorkerd } from '../../runtime/kind.ts';
import { unref } from '../../runtime/timers.ts';

/** A call, as its timeout sees it. */
export interface TimedCall {
  readonly method: string;
  /** The timeout of its handler in milliseconds. */
  readonly timeLimitMs: number;
  /** True once it is answered or cancelled: its handler is orphaned. */
  readonly done: boolean;
  /** True while the timeout is paused: it waits for its client, or is long-lived. */
  readonly paused: boolean;
  /** The name of the request in messages, such as `Tool "find"`. */
  readonly subject: string;
  /** Ends the call with a timeout error and aborts its handler. */
  expire(): void;
}

/** A handler that still runs after its timeout, although its signal was aborted. */
export interface StuckHandler {
  /** The name of the request, such as `Tool "find"`. */
  readonly what: string;
  readonly method: string;
  /** Its running time in milliseconds. */
  readonly runningMs: number;
}

/** A call with a timeout. */
export class HandlerTimer extends ListNode {
  /** The running time of its handler; below 0 until the first check. */
  workedMs = -1;
  /** True once the stuck handler was reported. */
  stuck = false;

  readonly #list: LinkedList<HandlerTimer>;
  /** Called when the handler has ended. Declared, so that it takes no memory until it is set. */
  declare onEnd?: () => void;

  constructor(
    readonly call: TimedCall,
    list: LinkedList<HandlerTimer>,
  ) {
    super();
    this.#list = list;
    list.add(this);
  }

  /** The handler has ended. */
  end(): void {
    this.#list.remove(this);
    this.onEnd?.();
  }
}

/** Precision of timeouts: one timer checks all running calls, since a timer per call would be expensive. */
const COARSEST = 1000;
const FINEST = 10;
/** The number of checks within a shorter timeout. */
const LOOKS = 10;

/** Time for an aborted handler to stop, before it is reported as stuck. */
const stopMs = 10 * 1000;

/** Ends calls whose handlers time out, and lists stuck handlers. */
export class HandlerTimeouts {
  /** A list, because calls start and end far more often than it is read. */
  readonly #timings = new LinkedList<HandlerTimer>();
  readonly #log: (level: 'warning' | 'error', message: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #interval = 0;
  #lastCheck = 0;
  /** One per call, on runtimes where a timer ends with the request that set it. */
  readonly #each: Set<HandlerTimeouts> | undefined;

  constructor(log: (level: 'warning' | 'error', message: string) => void, { apart = isWorkerd } = {}) {
    this.#log = log;
    this.#each = apart ? new Set() : undefined;
  }

  /** Starts the timeout of a call. */
  watch(call: TimedCall): HandlerTimer {
    if (this.#each !== undefined) return this.#watchApart(call, this.#each);
    const timing = new HandlerTimer(call, this.#timings);
    // The timer stops itself when no call is left.
    if (this.#timer === undefined || call.timeLimitMs < this.#interval * LOOKS) {
      this.#checkEvery(intervalFor(call.timeLimitMs));
    }
    return timing;
  }

  #watchApart(call: TimedCall, each: Set<HandlerTimeouts>): HandlerTimer {
    const own = new HandlerTimeouts(this.#log, { apart: false });
    const timing = own.watch(call);
    timing.onEnd = () => each.delete(own);
    each.add(own);
    return timing;
  }

  /** The stuck handlers, longest running first. */
  get stuck(): StuckHandler[] {
    const found: StuckHandler[] = [...(this.#each ?? [])].flatMap((own) => own.stuck);
    for (const { call, stuck, workedMs } of this.#all()) {
      if (stuck) found.push({ what: call.subject, method: call.method, runningMs: Math.round(workedMs) });
    }
    return found.sort((one, other) => other.runningMs - one.runningMs);
  }

  *#all(): Generator<HandlerTimer, void, undefined> {
    for (let each = this.#timings.first; each !== undefined; each = each.after as HandlerTimer | undefined) yield each;
  }

  #checkEvery(interval: number): void {
    if (this.#timer !== undefined && interval >= this.#interval) return;
    if (this.#timer === undefined) this.#lastCheck = performance.now();
    clearInterval(this.#timer);
    this.#interval = interval;
    // Unreferenced: a client that waits has a connection, which keeps the process alive.
    this.#timer = unref(setInterval(() => this.#check(), interval));
  }

  #check(): void {
    if (this.#timings.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    const passed = now - this.#lastCheck;
    this.#lastCheck = now;
    const over: TimedCall[] = [];
    const stuck: TimedCall[] = [];
    for (const timing of this.#all()) {
      const { call } = timing;
      if (timing.workedMs < 0) {
        timing.workedMs = 0;
        // Only now is the limit known: a tool's timeout is found while its call is prepared.
        this.#checkEvery(intervalFor(call.timeLimitMs));
      } else if (call.done || !call.paused) {
        timing.workedMs += passed;
        if (!call.done) {
          if (timing.workedMs >= call.timeLimitMs) over.push(call);
        } else if (!timing.stuck && timing.workedMs >= stuckAfterMs(call)) {
          timing.stuck = true;
          stuck.push(call);
        }
      }
    }
    this.#end(over);
    this.#report(stuck);
  }

  #end(calls: TimedCall[]): void {
    if (calls.length === 0) return;
    for (const call of calls) call.expire();
    this.#logSafely('warning', `Not done in time, answered with an error, and told to stop: ${summary(calls)}`);
  }

  /** A logger that throws must not end the process: no caller catches errors of a timer. */
  #logSafely(level: 'warning' | 'error', message: string): void {
    try {
      this.#log(level, message);
    } catch {}
  }

  #report(calls: TimedCall[]): void {
    if (calls.length === 0) return;
    this.#logSafely(
      'error',
      `Stuck: no request waits for it, but it still runs: ${summary(calls)}. ` +
        `A handler must end when its context's signal is aborted; server.stuck lists those that don't`,
    );
  }
}

function intervalFor(limitMs: number): number {
  return Math.min(COARSEST, Math.max(FINEST, limitMs / LOOKS));
}

/** A handler gets time to stop, but no more than its timeout. */
function stuckAfterMs({ timeLimitMs }: TimedCall): number {
  return timeLimitMs + Math.min(stopMs, timeLimitMs);
}

/** Maximum kinds of calls in one log line. */
const NAMED = 10;

function summary(calls: TimedCall[]): string {
  const counts = new Map<string, number>();
  for (const { subject, timeLimitMs } of calls) {
    const name = `${subject} (limit: ${duration(timeLimitMs)})`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const named = [...counts].slice(0, NAMED).map(([name, count]) => (count === 1 ? name : `${name}, ${count} calls`));
  return counts.size > NAMED ? `${named.join('; ')}; and ${counts.size - NAMED} more` : named.join('; ');
}

/** Formats a duration. */
export function duration(ms: number): string {
  const [amount, unit] = ms >= 60_000 && ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1000, 'second'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
