import type { RequestId } from '../../../jsonrpc/message.ts';
import type { Responses } from '../../../server/receive.ts';

/**
 * So long an answer stays behind the last progress of its request, in milliseconds. Widely used clients forget who wanted
 * to hear of progress when they see the answer, and look at all that they read at once before they pass any of it on.
 */
const GAP = 20;

/** Keeps answers apart from the progress that was told just before. */
export interface ProgressGap {
  /** Must be called when progress of a request is told. */
  note(request: RequestId): void;
  /** Keeps an answer back where it must be, and hands it on later. False: it can go now. */
  hold(reply: Responses, later: (reply: Responses) => void): boolean;
  /** Hands everything on that is kept back. */
  letGo(): void;
}

/** Makes the gap of a connection. A request without progress costs nothing. */
export function createProgressGap(): ProgressGap {
  /** When progress was last told, the oldest first. */
  const told = new Map<RequestId, number>();
  const held = new Map<NodeJS.Timeout, () => void>();

  function note(request: RequestId): void {
    const now = performance.now();
    forget(now);
    told.delete(request);
    told.set(request, now);
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
    const last = Math.max(...replies.map(({ id }) => told.get(id as RequestId) ?? 0));
    if (last === 0) return false;
    const go = (): void => {
      clearTimeout(timer);
      held.delete(timer);
      later(reply);
    };
    const timer = setTimeout(go, last + GAP - now);
    held.set(timer, go);
    return true;
  }

  function letGo(): void {
    for (const go of held.values()) go();
  }

  return { note, hold, letGo };
}
