import { isObject, type Params } from '../../jsonrpc/message.ts';
import type { AskedQuestion, AskedWatch, Observer } from './observer.ts';

/** Who watches, and where it is told that one of them failed. */
export interface QuestionObservers {
  readonly observers: readonly Observer[];
  reportError(message: string, error: unknown): void;
}

/** Asks a client something and tells those who observe it. `ask` gets the params with what they add to `_meta`. */
export async function observeQuestion<T>(
  server: QuestionObservers,
  question: AskedQuestion,
  ask: (params: Params) => Promise<T>,
): Promise<T> {
  const attempt = <R>(run: () => R): R | undefined => {
    try {
      return run();
    } catch (error) {
      server.reportError('An observer failed', error);
      return undefined;
    }
  };
  const watches = server.observers.flatMap((observer) => attempt(() => observer.ask?.(question)) ?? []);
  const startedAt = performance.now();
  const end = (error: Error | undefined): void => {
    const durationMs = performance.now() - startedAt;
    for (const watch of watches) attempt(() => watch.end({ durationMs, error }));
  };
  try {
    const answer = await ask(withMetaOf(watches, question.params));
    end(undefined);
    return answer;
  } catch (error) {
    end(error as Error);
    throw error;
  }
}

function withMetaOf(watches: readonly AskedWatch[], params: Params): Params {
  if (watches.every(({ meta }) => meta === undefined)) return params;
  const own = isObject(params._meta) ? params._meta : undefined;
  return { ...params, _meta: Object.assign({}, ...watches.map(({ meta }) => meta), own) as Params };
}
