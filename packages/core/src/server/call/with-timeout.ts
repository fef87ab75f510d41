/** Time for a store to answer about such a limit; after that an instance counts for itself for a while. */
const askMs = 1000;

/** Rejects if a store takes too long to answer: a call must not wait for one that is frozen. */
export function withTimeout<T>(answer: Promise<T>, ms = askMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The store did not answer in time')), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
