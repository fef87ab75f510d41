/** The part of `AbortSignal` that is used here, so that a cheaper object can replace it. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A cheap `AbortController` that is its own signal. It is no event target: creating one with a listener costs as much
 * as parsing five messages, and every HTTP request needs one.
 */
export class LightAbortController implements AbortSignalLike {
  aborted = false;
  reason: unknown = undefined;
  #listeners: (() => void)[] | undefined = undefined;

  get signal(): AbortSignalLike {
    return this;
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) listener();
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (this.aborted) return;
    if (this.#listeners === undefined) this.#listeners = [listener];
    else this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners?.filter((one) => one !== listener);
  }
}

/** Converts to a real `AbortSignal`, for APIs that accept nothing else. */
export function toAbortSignal(signal: AbortSignalLike): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return controller.signal;
}
interface AbortListeners {
  readonly acts: Set<() => void>;
  readonly all: () => void;
}

const listenersBySignal = new WeakMap<AbortSignal, AbortListeners>();

/**
 * Calls `act` when a signal that is not aborted yet aborts; the returned function unsubscribes. However many callers
 * wait, the signal has one listener, since Node warns of a leak above ten.
 */
export function onAbort(signal: AbortSignalLike, act: () => void): () => void {
  if (!(signal instanceof AbortSignal)) {
    signal.addEventListener('abort', act);
    return () => signal.removeEventListener('abort', act);
  }
  const { acts, all } = listenersBySignal.get(signal) ?? createListeners(signal);
  acts.add(act);
  return () => {
    if (!acts.delete(act) || acts.size > 0) return;
    signal.removeEventListener('abort', all);
    listenersBySignal.delete(signal);
  };
}

function createListeners(signal: AbortSignal): AbortListeners {
  const acts = new Set<() => void>();
  const all = (): void => {
    for (const act of acts) act();
  };
  const begun = { acts, all };
  listenersBySignal.set(signal, begun);
  signal.addEventListener('abort', all, { once: true });
  return begun;
}

/** A signal that aborts with the first of several. `release` removes the listeners. */
export function anySignal(given: readonly (AbortSignalLike | undefined)[]): {
  signal: AbortSignal;
  release: () => void;
} {
  const signals = given.filter((signal) => signal !== undefined);
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else releases.push(onAbort(signal, abort));
  }
  return {
    signal: controller.signal,
    release() {
      for (const each of releases) each();
    },
  };
}

/** Resolves after the delay, or as soon as the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignalLike): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });
}
