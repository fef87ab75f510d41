/** A promise that is settled from outside. Nobody has to wait for it. */
export interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: Error): void;
}

/** Makes a promise that is settled from outside. */
export function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((resolved, rejected) => {
    resolve = resolved;
    reject = rejected;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}
