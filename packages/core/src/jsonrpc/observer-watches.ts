import { isObject, type Params } from './message.ts';

/** A watch of an observer, as far as sending or serving a request is concerned. */
interface Watch {
  readonly meta?: Params | undefined;
  around?<T>(run: () => T): T;
  resume?<T>(run: () => T): T;
}

/**
 * Runs a function inside the `around` or `resume` functions of watches, the last one outermost. One that fails is
 * reported and skipped: the function runs exactly once.
 */
export function runWithin<T>(
  watches: readonly Watch[],
  how: 'around' | 'resume',
  run: () => T,
  report: (error: unknown) => void,
): T {
  let ran: { value: T } | undefined;
  let outermost = (): T => {
    ran ??= { value: run() };
    return ran.value;
  };
  for (const watch of watches) {
    if (watch[how] === undefined) continue;
    const inner = outermost;
    outermost = () => {
      try {
        watch[how]?.(inner);
      } catch (error) {
        report(error);
      }
      return ran === undefined ? inner() : ran.value;
    };
  }
  return outermost();
}

/** Adds the metadata of watches to params. Members that the params have take precedence. */
export function withWatchMeta<P extends Params | undefined>(watches: readonly Watch[], params: P): P | Params {
  if (watches.every(({ meta }) => meta === undefined)) return params;
  const own = isObject(params?._meta) ? params._meta : undefined;
  return { ...params, _meta: Object.assign({}, ...watches.map(({ meta }) => meta), own) as Params };
}
