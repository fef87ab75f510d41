import { type CallToolResult } from '@ccmcp/core';
import type { RemoteTask } from '@ccmcp/core/tasks';
import { toOneLine } from '../../terminal/print.ts';
import type { Context } from '../context.ts';

/** How long an interrupted command waits for a cancelled task to stop. */
const cancelWaitMs = 5 * 1000;

/**
 * Waits for the result of a task, and shows its status meanwhile. An interrupt cancels the task, if `cancels` is set.
 */
export async function waitForTask(
  context: Context,
  task: RemoteTask,
  { cancels }: { cancels: boolean },
): Promise<CallToolResult> {
  const { output, signal } = context;
  const stopShowing = showState(context, task);
  const interrupt = (): void => {
    if (task.taskId === undefined) return;
    if (cancels) context.last = cancelTask(context, task);
    else
      output.note(`The task keeps running. Come back to it: ccmcp tasks ${context.target.label} wait ${task.taskId}`);
  };
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await task.result({ signal });
  } catch (error) {
    await context.last;
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    stopShowing();
    output.status(undefined);
  }
}

/** Shows each change on the status line, until stopped. */
function showState({ output }: Context, task: RemoteTask): () => void {
  const changes = task[Symbol.asyncIterator]();
  let isShown = true;
  const next = async (): Promise<void> => {
    const { done, value } = await changes.next();
    if (done === true || !isShown) return;
    output.status(formatState(value));
    await next();
  };
  // The caller gets failures from the result.
  next().catch(() => {});
  return () => {
    isShown = false;
    void changes.return?.();
  };
}

/** The state of a task, on one line. */
export function formatState({ status, statusMessage }: { status: string; statusMessage?: string | undefined }): string {
  const words = status === 'input_required' ? 'wants input' : status;
  return statusMessage === undefined ? words : `${words}: ${toOneLine(statusMessage)}`;
}

async function cancelTask({ output }: Context, task: RemoteTask): Promise<void> {
  output.note('Cancelling the task; Ctrl+C again does not wait for its end.');
  try {
    await task.cancel();
    await task.result({ signal: AbortSignal.timeout(cancelWaitMs), byHand: true });
  } catch (error) {
    if ((error as Error).name === 'TaskCancelledError') output.note('The task was cancelled.');
    else output.note(`The task was asked to stop: ${(error as Error).message}`);
  }
}
