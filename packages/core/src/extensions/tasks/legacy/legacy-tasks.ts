import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Tool } from '../../../server/define/define.ts';
import type { FormerForm } from '../../../server/extension.ts';
import type { GetTaskRunner } from '../task-runners.ts';
import { cancelLegacyTask } from './methods.ts';
import { getLegacyTask } from './methods.ts';
import { listLegacyTasks } from './methods.ts';
import { legacyTaskResult } from './methods.ts';
import { requestsTask } from './wire-format.ts';
import { legacyTaskMethods, legacyTasksPart } from './wire-format.ts';

/** Tasks in the form of a handshake revision, from the same records. */
export function legacyTasks(getRunner: GetTaskRunner): FormerForm {
  return {
    part: legacyTasksPart,
    methods: {
      [legacyTaskMethods.get]: getLegacyTask(getRunner),
      [legacyTaskMethods.result]: legacyTaskResult(getRunner),
      [legacyTaskMethods.list]: listLegacyTasks(getRunner),
      [legacyTaskMethods.cancel]: cancelLegacyTask(getRunner),
    },
    capabilities: (tools) => (hasTasks(tools) ? { tasks: tasksCapability } : undefined),
    describe: ({ task }) => (task === undefined ? undefined : { execution: { taskSupport: task } }),
    admit({ name, task }, params, tools) {
      const isRequested = requestsTask(params);
      if (task === 'required' && !isRequested) {
        throw methodNotFound(`Tool "${name}" runs as a task only: call it with "task" beside its arguments`);
      }
      // A server without task tools declares no tasks, so "task" means nothing there.
      if (task === undefined && isRequested && hasTasks(tools)) {
        throw methodNotFound(`Tool "${name}" does not run as a task: call it without "task"`);
      }
    },
  };
}

const tasksCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

function hasTasks(tools: Iterable<Tool>): boolean {
  for (const { task } of tools) if (task !== undefined) return true;
  return false;
}

function methodNotFound(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.MethodNotFound, message);
}
