/** A task was cancelled: by this client, by another one, or by the server. */
export class TaskCancelledError extends Error {
  override name = 'TaskCancelledError';

  constructor(
    readonly taskId: string,
    /** The server's message. */
    readonly statusMessage: string | undefined,
  ) {
    super(`The task ${quoteTaskId(taskId)} was cancelled${statusMessage === undefined ? '' : `: ${statusMessage}`}`);
  }
}

/** The state of a task is lost. Call the tool again, if it may run twice. */
export class TaskGoneError extends Error {
  override name = 'TaskGoneError';

  constructor(
    readonly taskId: string,
    /** `unknown`: the server has no such task. `expired`: its lifetime ended before it finished. */
    readonly problem: 'unknown' | 'expired',
    options?: ErrorOptions,
  ) {
    super(`The task ${quoteTaskId(taskId)} ${reasons[problem]}`, options);
  }
}

const reasons = {
  unknown: 'was not found: it has expired, belongs to another caller, or never existed',
  expired: 'is lost: it did not end within its lifetime',
};

function quoteTaskId(taskId: string): string {
  return JSON.stringify(taskId.slice(0, 100));
}
