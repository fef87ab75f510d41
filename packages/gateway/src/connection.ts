import { type ClientCapabilities, ErrorCode, ProtocolError } from '@ccmcp/core';
import type { Client, LogMessage, Params } from '@ccmcp/core/client';

/** A call while it is served upstream, as its connection sees it. */
export interface ActiveCall {
  /** Calls with the same owner come from one session: whichever of them is asked, the same client is. */
  readonly owner: unknown;
  /** What is called, such as `tools/call find`. */
  readonly subject: string;
  /** What the caller can be asked. */
  readonly abilities: ClientCapabilities;
  /** Where it is among the calls of its connection. Only the connection changes these. */
  slot: number;
  /** Later than those of calls that joined before. */
  order: number;
  /** True if it must not share the connection with another caller. */
  isExclusive: boolean;
  /** Passes a question of the upstream on to the caller. */
  ask(method: string, params: Params | undefined, signal: AbortSignal): Promise<object>;
  /** Passes a log message of the upstream on to the caller. */
  log(message: LogMessage): void;
  /** Tells the caller that what a page was for is finished. */
  completeElicitation(elicitationId: string): void;
}

/** The maximum time that a question waits until it is known which caller it is for, in milliseconds. */
const attributionMs = 30_000;

/**
 * One connection to an upstream, and the calls that use it. A handshake server does not say which call a question belongs to:
 * it is passed to the only caller there is, if need be after the calls of others are over. It never goes to two.
 */
export class UpstreamConnection {
  /** Resolves when the connection is negotiated. */
  opened!: Promise<Client>;
  client: Client | undefined;
  /** Aborted when the gateway ends the connection. */
  readonly ended: AbortController = new AbortController();
  readonly startedAt: number = performance.now();
  readonly abilities: ClientCapabilities;
  /** In no order. An array: a set that calls come to and leave all the time keeps many that are over from the collector. */
  readonly active: ActiveCall[] = [];
  #lastOrder = 0;
  /** Questions that wait until it is known which caller they are for. */
  #waiting = 0;
  readonly #wakeups = new Set<() => void>();

  constructor(abilities: ClientCapabilities) {
    this.abilities = abilities;
  }

  /** True if a call may use the connection beside those that do. */
  admits(call: ActiveCall, isExclusive: boolean): boolean {
    const mayShare = this.#waiting === 0 && !isExclusive;
    return this.active.every((other) => other.owner === call.owner || (mayShare && !other.isExclusive));
  }

  join(call: ActiveCall, isExclusive: boolean): void {
    this.#lastOrder += 1;
    call.order = this.#lastOrder;
    call.isExclusive = isExclusive;
    call.slot = this.active.length;
    this.active.push(call);
  }

  leave(call: ActiveCall): void {
    const last = this.active.pop() as ActiveCall;
    if (last !== call) {
      last.slot = call.slot;
      this.active[call.slot] = last;
    }
    this.#wake();
  }

  /** Passes a question on to the caller it is for. `onAsked` learns which call asks. */
  async answer(
    question: { method: string; params: Params | undefined; signal: AbortSignal },
    onAsked: (call: ActiveCall) => void,
  ): Promise<object> {
    const { method, params, signal } = question;
    const call = this.#onlyCall() ?? (await this.#awaitOnlyCall(signal));
    onAsked(call);
    const answer = await call.ask(method, params, signal);
    return method === 'sampling/createMessage' ? withSingleBlock(answer) : answer;
  }

  /** Passes a log message on if it is known which caller it is for. */
  log(message: LogMessage): boolean {
    const call = this.#onlyCall();
    call?.log(message);
    return call !== undefined;
  }

  /** The latest call of the only owner there is. */
  #onlyCall(): ActiveCall | undefined {
    let last: ActiveCall | undefined;
    for (const call of this.active) {
      if (last !== undefined && last.owner !== call.owner) return undefined;
      if (last === undefined || last.order < call.order) last = call;
    }
    return last;
  }

  async #awaitOnlyCall(signal: AbortSignal): Promise<ActiveCall> {
    if (this.active.length === 0) throw unattributable('no call is in progress, so there is nobody to ask');
    this.#waiting += 1;
    // With a further question, waiting may be of no use to the others.
    this.#wake();
    const deadline = performance.now() + attributionMs;
    try {
      for (;;) {
        const call = this.#onlyCall();
        if (call !== undefined) return call;
        const owners = new Set(Array.from(this.active, ({ owner }) => owner)).size;
        const leftMs = deadline - performance.now();
        // Where each of them may have asked, none of them will end first.
        if (owners === 0 || this.#waiting >= owners || leftMs <= 0 || signal.aborted) {
          throw unattributable(`calls of ${owners} callers are in progress, and it does not say which one it is for`);
        }
        await this.#nextWake(leftMs, signal);
      }
    } finally {
      this.#waiting -= 1;
      this.#wake();
    }
  }

  #nextWake(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#wakeups.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake, { once: true });
      this.#wakeups.add(wake);
    });
  }

  #wake(): void {
    if (this.#wakeups.size > 0) for (const wake of Array.from(this.#wakeups)) wake();
  }
}

/** An answer of a model with one block of content as earlier revisions have it: not in a list. */
function withSingleBlock(answer: { content?: unknown }): object {
  const { content } = answer;
  return Array.isArray(content) && content.length === 1 ? { ...answer, content: content[0] as unknown } : answer;
}

function unattributable(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `The gateway can't pass this question on: ${reason}`);
}
