import { ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { type DetailedTask, taskFilter, taskMethods, taskNotification } from '../protocol.ts';
import { readDetails, type TaskNames } from './parse-task.ts';
import { TaskCancelledError } from './task-errors.ts';
import { askAboutTask, askTask, isInvalid, same, type TaskLine, type TaskWire } from './task-wire.ts';

/** What the extension calls the times of a task. */
export const extensionNames: TaskNames = { ttl: 'ttlMs', poll: 'pollIntervalMs' };

/** A task of the extension: it carries its questions and what came of it. */
export function extensionWire(line: TaskLine, taskId: string): TaskWire {
  const read = (value: unknown): DetailedTask => same(taskId, readDetails(value, extensionNames));
  return {
    form: 'extension',
    get: async () => read(await askTask(line, taskMethods.get, { taskId })),
    cancel: async () => void (await askTask(line, taskMethods.cancel, { taskId })),
    async update(inputResponses) {
      try {
        await askAboutTask(line, taskMethods.update, { taskId, inputResponses });
      } catch (error) {
        // What can't be taken for an answer is refused with the same code as a task that is not there.
        if (isInvalid(error)) await askTask(line, taskMethods.get, { taskId });
        throw error;
      }
    },
    async outcome({ status, statusMessage, result, error }) {
      if (result !== undefined) return result;
      if (error !== undefined) throw new ProtocolError(error.code, error.message, error.data);
      if (status === 'cancelled') throw new TaskCancelledError(taskId, statusMessage);
      throw new TypeError('A task that has not ended has no outcome');
    },
    async listen(heard, signal) {
      const subscription = await line.listen(
        { [taskFilter]: [taskId] },
        {
          signal,
          heard(method, params) {
            if (method !== taskNotification || params.taskId !== taskId) return;
            try {
              heard(read(params));
            } catch (error) {
              line.warn(`A notification of a task can't be used: ${(error as Error).message}`);
            }
          },
        },
      );
      if (tells(subscription.honoured.more, taskId)) return subscription;
      await subscription.close();
      throw new Error('The server does not tell of this task');
    },
  };
}

function tells(granted: unknown, taskId: string): boolean {
  const ids = isObject(granted) ? granted[taskFilter] : undefined;
  return Array.isArray(ids) && ids.includes(taskId);
}
