import type { Operations } from './lend-store.ts';
import type { Line } from './ipc-channel.ts';
import type { Asked, Told } from './messages.ts';

/** Does what a worker asks for, and answers it. */
export function answerWorker(line: Line<Told, Asked>, operations: Operations): void {
  line.hear(({ id, operation, given }) => {
    const fail = (error: unknown): void =>
      line.send({ id, error: error instanceof Error ? error.message : String(error) });
    try {
      const result = (operations[operation] as (id: number, ...given: readonly unknown[]) => unknown)(id, ...given);
      if (result instanceof Promise) result.then((late: unknown) => line.send({ id, result: late }), fail);
      else line.send({ id, result });
    } catch (error) {
      fail(error);
    }
  });
}
