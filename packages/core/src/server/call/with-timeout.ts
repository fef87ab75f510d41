/** Timeout of a store for shared limits; after it, an instance counts locally. */
const askMs = 1000;

/** Rejects if a store takes too long: a call must not wait for a frozen store. */
export function withTimeout<T>(answer: Promise<T>, ms = askMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store did not answer in time')), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
