import type { ClientExtension } from '../../../client/extension.ts';
import type { MethodRows } from '../../../protocol/methods.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import { taskMethods, taskNotification, taskResultType, tasksId } from '../protocol.ts';
import { legacyTaskCalls } from './legacy-calls.ts';
import type { TaskKeeper } from './task-keeper.ts';

/** Options of `tasksClient`. */
export interface TasksClientOptions {
  /** Stores tasks until they end, so that a later program can resume them. */
  keeper?: TaskKeeper;
}

/** The client's half of tasks, with its keeper. */
export interface TasksClient extends ClientExtension {
  readonly keeper: TaskKeeper | undefined;
}

const taskMethodFacts = { mirrors: 'taskId', repeatable: true };
const methods: MethodRows = {
  [taskMethods.get]: taskMethodFacts,
  [taskMethods.update]: taskMethodFacts,
  [taskMethods.cancel]: taskMethodFacts,
  'tasks/result': { repeatable: true },
  'tasks/list': { repeatable: true },
};

/**
 * For `extensions` of `connect`: declares that calls may be answered with a task. `callTool` then waits for it; the
 * code for that is loaded with the first task.
 */
export function tasksClient(options: TasksClientOptions = {}): TasksClient {
  assertKnownOptions('tasksClient', options, ['keeper'] satisfies (keyof TasksClientOptions)[]);
  const { keeper } = options;
  return {
    id: tasksId,
    // The handshake era has tasks without the extension, in a legacy form.
    era: 'stateless',
    keeper,
    methods,
    notifications: { [taskNotification]: {} },
    resultTypes: {
      [taskResultType]: {
        methods: ['tools/call'],
        async follow(result, request) {
          const { followTask } = await import('./follow-task.ts');
          return followTask(result, request, keeper);
        },
      },
    },
    around: (server) => legacyTaskCalls(server, keeper),
  };
}
