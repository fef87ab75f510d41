/// <reference types="node" preserve="true" />

export type { TaskWaiting } from './features/tasks/client/wait-for-task.ts';
export type { RemoteTask } from './features/tasks/client/remote-task.ts';
export { TaskCancelledError, TaskGoneError } from './features/tasks/client/task-errors.ts';
export type { TaskHandle, TaskKeeper } from './features/tasks/client/task-keeper.ts';
export type { TaskQuestion } from './features/tasks/client/remote-task.ts';
export type { TaskForm } from './features/tasks/client/task-wire.ts';
export { type TasksClient, type TasksClientOptions, tasksClient } from './features/tasks/client/tasks-client.ts';
export type { RemoteTasks } from './features/tasks/client/remote-tasks.ts';
export { tasksOf } from './features/tasks/client/tasks-of.ts';
export { type TasksOptions, tasks } from './features/tasks/tasks.ts';
export type { DetailedTask, InputRequest, Task, TaskStatus } from './features/tasks/protocol.ts';
