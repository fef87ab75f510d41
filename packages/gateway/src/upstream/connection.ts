import { type ClientCapabilities, ErrorCode, ProtocolError } from '@ccmcp/core';
import type { Client, LogMessage, Params } from '@ccmcp/core/client';
import { toAbilitiesKey } from '../messages.ts';

/** A call while it is served upstream, as its connection sees it. */
export interface ActiveCall {
  /** Calls with the same owner are from one session: a question of any of them reaches the same client. */
  readonly owner: unknown;
  /** The method and name, such as `tools/call find`. */
  readonly subject: string;
  /** The capabilities of the caller to answer questions. */
  readonly abilities: ClientCapabilities;
  /** The index among the calls of its connection. Only the connection sets it. */
  slot: number;
  /** Increases with each call that joins. */
  order: number;
  /** True if it must not share the connection with another caller. */
  isExclusive: boolean;
  /** Forwards a question of the upstream to the caller. */
  ask(method: string, params: Params | undefined, signal: AbortSignal): Promise<object>;
  /** Forwards a log message of the upstream to the caller. */
  log(message: LogMessage): void;
  /** Notifies the caller that a URL elicitation is complete. */
  completeElicitation(elicitationId: string): void;
}

/** How long a question waits until its caller is known, in milliseconds. */
const attributionMs = 30_000;

/**
 * One connection to an upstream, and the calls that use it. A handshake server does not say which call a question
 * belongs to: it goes to the only caller, if necessary after the calls of others have ended, and never to two.
 */
export class UpstreamConnection {
  /** Resolves when the connection is negotiated. */
  opened!: Promise<Client>;
  client: Client | undefined;
  /** Aborted when the gateway closes the connection. */
  readonly ended: AbortController = new AbortController();
  readonly startedAt: number = performance.now();
  readonly abilities: ClientCapabilities;
  /** Identifies the capabilities. */
  readonly abilitiesKey: string;
  /** In no order. An array: a set with constant additions and removals keeps ended calls from the garbage collector. */
  readonly active: ActiveCall[] = [];
  #lastOrder = 0;
  /** Questions that wait until their caller is known. */
  #waiting = 0;
  readonly #wakeups = new Set<() => void>();

  constructor(abilities: ClientCapabilities) {
    this.abilities = abilities;
    this.abilitiesKey = toAbilitiesKey(abilities);
  }

  /** True if a call may share the connection with its current calls. */
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

  /** Forwards a question to its caller. `onAsked` gets the call that asks. */
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

  /** Forwards a log message if its caller is known. */
  log(message: LogMessage): boolean {
    const call = this.#onlyCall();
    call?.log(message);
    return call !== undefined;
  }

  /** The latest call of the only owner. */
  #onlyCall(): ActiveCall | undefined {
    let last: ActiveCall | undefined;
    for (const call of this.active) {
      if (last !== undefined && last.owner !== call.owner) return undefined;
      if (last === undefined || last.order < call.order) last = call;
    }
    return last;
  }

  async #awaitOnlyCall(signal: AbortSignal): Promise<ActiveCall> {
    if (this.active.length === 0) throw unattributable('no call is in progress, so no client can be asked');
    this.#waiting += 1;
    // With a further question, waiting may not help the others.
    this.#wake();
    const deadline = performance.now() + attributionMs;
    try {
      for (;;) {
        const call = this.#onlyCall();
        if (call !== undefined) return call;
        const owners = new Set(Array.from(this.active, ({ owner }) => owner)).size;
        const leftMs = deadline - performance.now();
        // If each of them may have asked, none of them will end first.
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

/** A sampling result with one content block, not in a list, as earlier revisions have it. */
function withSingleBlock(answer: { content?: unknown }): object {
  const { content } = answer;
  return Array.isArray(content) && content.length === 1 ? { ...answer, content: content[0] as unknown } : answer;
}

function unattributable(reason: string): ProtocolError {
  return new ProtocolError(ErrorCode.InternalError, `The gateway can't pass this question on: ${reason}`);
}
