import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import type { Tool } from '../../../server/define/define.ts';
import type { LegacyForm } from '../../../server/extension.ts';
import type { ServeLate } from '../serve-tasks.ts';
import { requestsTask, legacyTaskMethods, legacyTasksFeature } from './wire-format.ts';

/** Tasks in the form of a handshake revision, from the same records. */
export function legacyTasks(serve: ServeLate): LegacyForm {
  return {
    feature: legacyTasksFeature,
    methods: {
      [legacyTaskMethods.get]: { repeatable: true, serve: serve('getLegacyTask') },
      [legacyTaskMethods.result]: { repeatable: true, waits: true, serve: serve('legacyTaskResult') },
      [legacyTaskMethods.list]: { repeatable: true, serve: serve('listLegacyTasks') },
      // The task is cancelled before the client gets the answer, whenever its handler stops.
      [legacyTaskMethods.cancel]: { urgent: true, serve: serve('cancelLegacyTask') },
    },
    capabilities: (tools) => (hasTasks(tools) ? { tasks: tasksCapability } : undefined),
    describe: ({ task }) => (task === undefined ? undefined : { execution: { taskSupport: task } }),
    assertCallable({ name, task }, params, tools) {
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
