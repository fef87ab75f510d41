/// <reference types="node" preserve="true" />

export type { TaskWaiting } from './extensions/tasks/client/wait-for-task.ts';
export type { RemoteTask } from './extensions/tasks/client/remote-task.ts';
export { TaskCancelledError, TaskGoneError } from './extensions/tasks/client/task-errors.ts';
export type { TaskHandle, TaskKeeper } from './extensions/tasks/client/task-keeper.ts';
export type { TaskQuestion } from './extensions/tasks/client/remote-task.ts';
export type { TaskForm } from './extensions/tasks/client/task-wire.ts';
export { type TasksClient, type TasksClientOptions, tasksClient } from './extensions/tasks/client/tasks-client.ts';
export { type RemoteTasks, tasksOf } from './extensions/tasks/client/tasks-of.ts';
export { type TasksOptions, tasks } from './extensions/tasks/tasks.ts';
export type { DetailedTask, InputRequest, Task, TaskStatus } from './extensions/tasks/protocol.ts';
