import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Tool } from '../../../server/define.ts';
import type { FormerForm } from '../../../server/extension.ts';
import type { WorkshopOf } from '../task-runners.ts';
import { cancelRequestedTask } from './methods.ts';
import { getRequestedTask } from './methods.ts';
import { listRequestedTasks } from './methods.ts';
import { requestedResult } from './methods.ts';
import { isWanted } from './wire-format.ts';
import { requestedMethods, tasksPart } from './wire-format.ts';

/** Tasks as clients of a handshake revision ask for them, from the same records. */
export function requestedTasks(workshopOf: WorkshopOf): FormerForm {
  return {
    part: tasksPart,
    methods: {
      [requestedMethods.get]: getRequestedTask(workshopOf),
      [requestedMethods.result]: requestedResult(workshopOf),
      [requestedMethods.list]: listRequestedTasks(workshopOf),
      [requestedMethods.cancel]: cancelRequestedTask(workshopOf),
    },
    capabilities: (tools) => (hasTasks(tools) ? { tasks: offered } : undefined),
    describe: ({ task }) => (task === undefined ? undefined : { execution: { taskSupport: task } }),
    admit({ name, task }, params, tools) {
      const wanted = isWanted(params);
      if (task === 'required' && !wanted) {
        throw notThatWay(`Tool "${name}" runs as a task only: call it with "task" beside its arguments`);
      }
      // A server without tools that run as tasks does not say that it has tasks: then nobody means it.
      if (task === undefined && wanted && hasTasks(tools)) {
        throw notThatWay(`Tool "${name}" does not run as a task: call it without "task"`);
      }
    },
  };
}

const offered = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

function hasTasks(tools: Iterable<Tool>): boolean {
  for (const { task } of tools) if (task !== undefined) return true;
  return false;
}

function notThatWay(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, message);
}
