import { whenAborted } from './abort-signals.ts';

/** A signal that is aborted as soon as one of several is. `release` stops watching them. */
export function anySignal(given: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
  const signals = given.filter((signal) => signal !== undefined);
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else releases.push(whenAborted(signal, abort));
  }
  return {
    signal: controller.signal,
    release() {
      for (const each of releases) each();
    },
  };
}
