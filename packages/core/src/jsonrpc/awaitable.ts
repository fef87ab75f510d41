/** A value, or the promise of one. */
export type Awaitable<T> = T | Promise<T>;

/** True for promises of any kind. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/** Continues synchronously with a value that is already there: awaiting costs more than most continuations. */
export function mapAwaitable<T, R>(value: T | PromiseLike<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- it is the continuation, not a callback
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
