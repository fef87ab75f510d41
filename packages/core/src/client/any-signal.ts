/** A signal that is aborted as soon as one of several is. `release` stops watching them. */
export function anySignal(given: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
  const signals = given.filter((signal) => signal !== undefined);
  const controller = new AbortController();
  const abort = ({ target }: { target: unknown }): void => controller.abort((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}
