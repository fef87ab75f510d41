import type { Progress } from '../../../client/connection/pending-requests.ts';
import { whenAborted } from '../../../client/abort-signals.ts';
import { type DetailedTask, isFinal } from '../protocol.ts';
import { Answering } from './question-answerer.ts';
import type { TaskLine, TaskWire } from './task-wire.ts';
import type { TaskWatch } from './task-poller.ts';

/** How the end of a task is waited for. */
export interface TaskWaiting {
  signal?: AbortSignal | undefined;
  /** Told of each message about how the task stands; `progress` counts them. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** True: questions are left to `answer`. */
  byHand?: boolean | undefined;
}

/** Waits until a task has ended, and answers its questions meanwhile. */
export function endOf(
  watch: TaskWatch,
  { line, wire }: { line: TaskLine; wire: TaskWire },
  { signal, onProgress, byHand = false }: TaskWaiting,
): Promise<DetailedTask> {
  return new Promise((resolve, reject) => {
    let told = 0;
    let lastMessage: string | undefined;
    const settle = (how: () => void): void => {
      unwatch();
      answering.stop();
      for (const release of releases) release();
      how();
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const answering = new Answering(line, wire, failed);
    const abort = (): void => failed(reasonOf(signal));
    const over = (): void => failed(reasonOf(line.signal));
    const see = (task: DetailedTask): void => {
      const { statusMessage } = task;
      if (statusMessage !== undefined && statusMessage !== lastMessage) {
        told += 1;
        lastMessage = statusMessage;
        onProgress?.({ progress: told, message: statusMessage });
      }
      if (isFinal(task.status)) settle(() => resolve(task));
      else if (!byHand) answering.see(task);
    };
    const unwatch = watch.watch({ changed: see, failed });
    const releases = [whenAborted(line.signal, over), ...(signal === undefined ? [] : [whenAborted(signal, abort)])];
    if (signal?.aborted === true) abort();
    else if (line.signal.aborted) over();
    else see(watch.task);
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
