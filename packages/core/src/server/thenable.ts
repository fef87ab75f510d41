/** True for promises of any kind. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Goes on with a value at once where it is there, else when it is. */
export function andThen<T, R>(value: T | PromiseLike<T>, next: (value: T) => R): R | Promise<R> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- it is the continuation, not a callback
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
