import type { RequestId } from '../jsonrpc/message.ts';
import { nextTurn } from '../runtime/timers.ts';
import type { Responses } from '../server/call/encode-responses.ts';

/**
 * The minimum time between the last progress of a request and its answer, in milliseconds. Widely used clients drop the
 * progress listener when they see the answer, and parse everything they read before they dispatch any of it.
 */
const GAP = 20;

/** Delays answers that would follow their progress too closely. */
export interface ProgressGap {
  /** True from progress until the gap after it is over: otherwise no answer is delayed. */
  readonly isActive: boolean;
  /** Call this when progress of a request is queued. */
  note(request: RequestId): void;
  /** Writes the queue. The gap starts then, however long the handler blocked. */
  flush(write: () => void): void;
  /** Delays an answer if needed, and passes it to `later`. False: it can be sent now. */
  delay(reply: Responses, later: (reply: Responses) => void): boolean;
  /** Sends everything that is delayed. */
  releaseAll(): void;
}

/** A delayed answer. */
interface DelayedAnswer {
  /** Unset while the progress before it is queued. */
  timer?: NodeJS.Timeout;
  send(): void;
}

/**
 * Waits one more tick, so that input that arrived while the process was busy goes first: the client may be in this
 * process, with the progress unread.
 */
function scheduleRelease(ms: number, { send }: DelayedAnswer): NodeJS.Timeout {
  return setTimeout(() => void nextTurn().then(send), ms);
}

/** Creates the gap of a connection. A request without progress costs nothing. */
export function createProgressGap(): ProgressGap {
  /** When progress was last written, the oldest first; infinity while it is queued. */
  const lastProgress = new Map<RequestId, number>();
  const delayed = new Set<DelayedAnswer>();
  let isQueued = false;

  function note(request: RequestId): void {
    forget(performance.now());
    lastProgress.delete(request);
    lastProgress.set(request, Number.POSITIVE_INFINITY);
    isQueued = true;
    gap.isActive = true;
  }

  function flush(write: () => void): void {
    write();
    if (!isQueued) return;
    isQueued = false;
    const now = performance.now();
    for (const [request, since] of lastProgress) if (since > now) lastProgress.set(request, now);
    for (const each of delayed) each.timer ??= scheduleRelease(GAP, each);
  }

  function forget(now: number): void {
    for (const [request, since] of lastProgress) {
      if (now - since < GAP) return;
      lastProgress.delete(request);
    }
    gap.isActive = false;
  }

  function delay(reply: Responses, later: (reply: Responses) => void): boolean {
    if (lastProgress.size === 0 || reply === undefined) return false;
    const now = performance.now();
    forget(now);
    const replies = Array.isArray(reply) ? reply : [reply];
    const last = Math.max(...replies.map(({ id }) => lastProgress.get(id as RequestId) ?? -1));
    if (last === -1) return false;
    const one: DelayedAnswer = {
      send() {
        if (!delayed.delete(one)) return;
        clearTimeout(one.timer);
        later(reply);
      },
    };
    if (last <= now) one.timer = scheduleRelease(last + GAP - now, one);
    delayed.add(one);
    return true;
  }

  function releaseAll(): void {
    for (const { send } of delayed) send();
  }

  const gap = { isActive: false, note, flush, delay, releaseAll };
  return gap;
}
