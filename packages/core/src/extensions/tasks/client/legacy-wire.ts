import { type DetailedTask, isFinal } from '../protocol.ts';
import { readTask, type TaskNames } from './parse-task.ts';
import { TaskCancelledError, TaskGoneError } from './task-errors.ts';
import { askAboutTask, askTask, same, type TaskLine, type TaskWire } from './task-wire.ts';

/** What the experiment calls the times of a task. */
export const experimentalNames: TaskNames = { ttl: 'ttl', poll: 'pollInterval' };

const forever = { timeoutMs: Number.POSITIVE_INFINITY, maxTimeoutMs: Number.POSITIVE_INFINITY };

/** An experimental task: its result is fetched by a request that waits for it, and it asks by requests of the server. */
export function experimentalWire(line: TaskLine, taskId: string): TaskWire {
  const get = async (): Promise<DetailedTask> =>
    same(taskId, readTask(await askTask(line, 'tasks/get', { taskId }), experimentalNames));
  return {
    form: 'experimental',
    get,
    async cancel() {
      try {
        await askTask(line, 'tasks/cancel', { taskId });
      } catch (error) {
        // What has ended can't be cancelled here, which is refused with the same code.
        if (!(error instanceof TaskGoneError) || !isFinal((await get()).status)) throw error;
      }
    },
    async outcome({ status, statusMessage }) {
      if (status === 'cancelled') throw new TaskCancelledError(taskId, statusMessage);
      return askAboutTask(line, 'tasks/result', { taskId });
    },
    attend: (signal) => line.request('tasks/result', { taskId }, { ...forever, signal }),
  };
}
