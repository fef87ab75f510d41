import type { Params } from '../../../jsonrpc/message.ts';
import type { DetailedTask } from '../protocol.ts';

/** A question of a task. */
export interface TaskQuestion {
  /** By which it is answered; no other question of the task ever has it. */
  readonly key: string;
  readonly method: string;
  readonly params: Params | undefined;
}

/** The questions of a task that wait for an answer. */
export function questionsOf({ inputRequests = {} }: DetailedTask): TaskQuestion[] {
  return Object.entries(inputRequests).map(([key, { method, params }]) => ({ key, method, params }));
}
