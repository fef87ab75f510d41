import type { ClientExtension } from '../../../client/extension.ts';
import type { MethodRows } from '../../../protocol/methods.ts';
import { assertKnownOptions } from '../../../schema/known-options.ts';
import { taskMethods, taskNotification, taskResultType, tasksId } from '../protocol.ts';
import { legacyTaskCalls } from './legacy-calls.ts';
import type { TaskKeeper } from './task-keeper.ts';

/** How a client deals with tasks. */
export interface TasksClientOptions {
  /** Where the ids of tasks are kept until they have ended, so that a later program can come back to them. */
  keeper?: TaskKeeper;
}

/** The client's half of tasks, with where it keeps them. */
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
 * For `extensions` of `connect`: says that a call of this client may be answered with a task. `callTool` then waits for it; what
 * does that is loaded with the first one.
 */
export function tasksClient(options: TasksClientOptions = {}): TasksClient {
  assertKnownOptions('tasksClient', options, ['keeper'] satisfies (keyof TasksClientOptions)[]);
  const { keeper } = options;
  return {
    id: tasksId,
    // Servers of the other era have tasks without it, in a form of their own.
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
