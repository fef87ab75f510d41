/** What of an `AbortSignal` is used here, so that something cheaper can stand in its place. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * Calls something off, once, like an `AbortController`. It is its own signal and no event target: one of those with a listener
 * costs as much as parsing five messages, and every HTTP request needs one.
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

/** The same as an `AbortSignal`, for those who want no other. */
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
 * Calls a function when a signal is aborted that is not yet; what it gives ends that. However many wait, the signal has one listener:
 * Node takes more than ten for a leak, and says so.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
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

/** A signal that is aborted as soon as one of several is. `release` stops watching them. */
export function anySignal(given: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
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

/** Waits, unless it is called off. */
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
