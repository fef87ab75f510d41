import type { RequestId } from '../jsonrpc/message.ts';
import { nextTurn } from '../runtime/timers.ts';
import type { Responses } from '../server/receive.ts';

/**
 * So long an answer stays behind the last progress of its request, in milliseconds. Widely used clients forget who wanted
 * to hear of progress when they see the answer, and look at all that they read at once before they pass any of it on.
 */
const GAP = 20;

/** Keeps answers apart from the progress that was told just before. */
export interface ProgressGap {
  /** Must be called when progress of a request is queued. */
  note(request: RequestId): void;
  /** Writes what is queued: the gap begins then, however long the handler kept the process busy. */
  flush(write: () => void): void;
  /** Keeps an answer back where it must be, and hands it on later. False: it can go now. */
  delay(reply: Responses, later: (reply: Responses) => void): boolean;
  /** Hands everything on that is kept back. */
  releaseAll(): void;
}

/** An answer that is kept back. */
interface Held {
  /** None while the progress before it is queued. */
  timer?: NodeJS.Timeout;
  /** Hands it on. */
  go(): void;
}

/** Where the process was busy until then, what has come in goes first: the client may be in this process, with the progress unread. */
function scheduleRelease(ms: number, { go }: Held): NodeJS.Timeout {
  return setTimeout(() => void nextTurn().then(go), ms);
}

/** Makes the gap of a connection. A request without progress costs nothing. */
export function createProgressGap(): ProgressGap {
  /** When progress was last written, the oldest first; infinity while it is queued. */
  const lastProgress = new Map<RequestId, number>();
  const delayed = new Set<Held>();
  let isQueued = false;

  function note(request: RequestId): void {
    forget(performance.now());
    lastProgress.delete(request);
    lastProgress.set(request, Number.POSITIVE_INFINITY);
    isQueued = true;
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
  }

  function delay(reply: Responses, later: (reply: Responses) => void): boolean {
    if (lastProgress.size === 0 || reply === undefined) return false;
    const now = performance.now();
    forget(now);
    const replies = Array.isArray(reply) ? reply : [reply];
    const last = Math.max(...replies.map(({ id }) => lastProgress.get(id as RequestId) ?? -1));
    if (last === -1) return false;
    const one: Held = {
      go() {
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
    for (const { go } of delayed) go();
  }

  return { note, flush, delay, releaseAll };
}
