import type { ExtensionMethod } from '../../server/extension.ts';
import { callAsTask } from './call-as-task.ts';
import { cancelLegacyTask, getLegacyTask, legacyTaskResult, listLegacyTasks } from './legacy/methods.ts';
import { cancelTask, getTask, updateTask } from './methods.ts';
import { TaskRunner } from './task-runner.ts';
import { TaskStore } from './task-store.ts';
import { subscribeToTasks } from './task-subscription.ts';

const methods = {
  getTask,
  updateTask,
  cancelTask,
  getLegacyTask,
  legacyTaskResult,
  listLegacyTasks,
  cancelLegacyTask,
};

/** The handlers and the runner of tasks, loaded on demand. */
export const taskServing = { methods, callAsTask, subscribeToTasks, TaskRunner, TaskStore };

/** What serves tasks. */
export type TaskServing = typeof taskServing;

/** Returns the handler of a request that loads what serves tasks. */
export type ServeLate = (method: keyof typeof methods) => ExtensionMethod['serve'];
