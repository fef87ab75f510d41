export type Awaitable<T> = T | Promise<T>;

/** Goes on with a value at once where it is there at once: waiting costs more than most of what is done with it. */
export function onceThere<T, R>(value: Awaitable<T>, goOn: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
