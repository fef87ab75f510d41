import type { RequestId } from '../jsonrpc/message.ts';
import { nextTurn } from '../runtime/timers.ts';
import type { Responses } from '../server/encode-responses.ts';

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
  hold(reply: Responses, later: (reply: Responses) => void): boolean;
  /** Hands everything on that is kept back. */
  letGo(): void;
}

/** An answer that is kept back. */
interface Held {
  /** None while the progress before it is queued. */
  timer?: NodeJS.Timeout;
  /** Hands it on. */
  go(): void;
}

/** Where the process was busy until then, what has come in goes first: the client may be in this process, with the progress unread. */
function goIn(ms: number, { go }: Held): NodeJS.Timeout {
  return setTimeout(() => void nextTurn().then(go), ms);
}

/** Makes the gap of a connection. A request without progress costs nothing. */
export function createProgressGap(): ProgressGap {
  /** When progress was last written, the oldest first; infinity while it is queued. */
  const told = new Map<RequestId, number>();
  const held = new Set<Held>();
  let isQueued = false;

  function note(request: RequestId): void {
    forget(performance.now());
    told.delete(request);
    told.set(request, Number.POSITIVE_INFINITY);
    isQueued = true;
  }

  function flush(write: () => void): void {
    write();
    if (!isQueued) return;
    isQueued = false;
    const now = performance.now();
    for (const [request, since] of told) if (since > now) told.set(request, now);
    for (const each of held) each.timer ??= goIn(GAP, each);
  }

  function forget(now: number): void {
    for (const [request, since] of told) {
      if (now - since < GAP) return;
      told.delete(request);
    }
  }

  function hold(reply: Responses, later: (reply: Responses) => void): boolean {
    if (told.size === 0 || reply === undefined) return false;
    const now = performance.now();
    forget(now);
    const replies = Array.isArray(reply) ? reply : [reply];
    const last = Math.max(...replies.map(({ id }) => told.get(id as RequestId) ?? -1));
    if (last === -1) return false;
    const one: Held = {
      go() {
        if (!held.delete(one)) return;
        clearTimeout(one.timer);
        later(reply);
      },
    };
    if (last <= now) one.timer = goIn(last + GAP - now, one);
    held.add(one);
    return true;
  }

  function letGo(): void {
    for (const { go } of held) go();
  }

  return { note, flush, hold, letGo };
}
