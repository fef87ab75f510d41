import { limits } from '../../limits.ts';

const askMs = limits.server.askShareMs.value;

/** Rejects where a store takes too long to answer: a call must not wait for one that is frozen. */
export function withTimeout<T>(answer: Promise<T>, ms = askMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store did not answer in time')), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
