/** Does something when it is its turn. */
export type ConcurrencyLimit = <T>(act: () => Promise<T>) => Promise<T>;

/** Lets so many run at once; whoever comes later waits for one of them to end, in the order they came. */
export function limitConcurrency(atOnce: number): ConcurrencyLimit {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (act) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
