interface Waiters {
  readonly acts: Set<() => void>;
  readonly all: () => void;
}

const waiters = new WeakMap<AbortSignal, Waiters>();

/**
 * Calls a function when a signal is aborted that is not yet; what it gives ends that. However many wait, the signal has one listener:
 * Node takes more than ten for a leak, and says so.
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const { acts, all } = waiters.get(signal) ?? begin(signal);
  acts.add(act);
  return () => {
    if (!acts.delete(act) || acts.size > 0) return;
    signal.removeEventListener('abort', all);
    waiters.delete(signal);
  };
}

function begin(signal: AbortSignal): Waiters {
  const acts = new Set<() => void>();
  const all = (): void => {
    for (const act of acts) act();
  };
  const begun = { acts, all };
  waiters.set(signal, begun);
  signal.addEventListener('abort', all, { once: true });
  return begun;
}
