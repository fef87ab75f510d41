import { ErrorCode, type ErrorBody } from '../../jsonrpc/errors.ts';
import { text } from '../../protocol/content.ts';
import type { JobOutcome } from '../../server/call/background-job.ts';
import { isFinal } from './protocol.ts';
import type { TaskChanges, TaskRecord } from './task-record.ts';
import { expiryOf } from './task-id.ts';

/** Maximum length of a status message, in characters; a longer one is truncated. */
const maxStatusMessage = 1000;

/** The handler was interrupted and may not run again. */
export function toInterrupted(): TaskChanges {
  return toFailed('The task was interrupted: its instance stopped, and its tool may not run twice');
}

/** The task was started as often as allowed. */
export function toTooManyAttempts(attempts: number): TaskChanges {
  return toFailed(
    `The task was interrupted: it was started ${attempts} times, and each time its instance stopped before the end`,
  );
}

/** The lifetime of the task is over. */
export function toExpired({ ttlMs }: Pick<TaskRecord, 'ttlMs'>): TaskChanges {
  return toFailed(`The task has expired: it was not done within ${ttlMs} ms`);
}

/** The task failed. */
function toFailed(message: string): TaskChanges {
  return toFinal('failed', { outcome: { error: { code: ErrorCode.InternalError, message } }, statusMessage: message });
}

/** The task was cancelled. */
export function toCancelled(): TaskChanges {
  return toFinal('cancelled', { statusMessage: 'The task was cancelled' });
}

/** True if the lifetime of an unfinished task is over. */
export function hasExpired(record: TaskRecord): boolean {
  return !isFinal(record.status) && isExpiredId(record.id);
}

/** True if the lifetime of the task with this id is over. */
export function isExpiredId(id: string): boolean {
  return expiryOf(id) <= Date.now();
}

function toFinal(status: 'completed' | 'failed' | 'cancelled', more: TaskChanges): TaskChanges {
  return { statusMessage: undefined, ...more, status, questions: {}, answers: {}, call: undefined };
}

/**
 * The handler has ended; without an outcome, it was cancelled. `failed` gets the error of an outcome that JSON can't
 * represent.
 */
export function toFinished(
  outcome: JobOutcome | undefined,
  { tool, maxResult, failed }: { tool: string; maxResult: number; failed(error: unknown): void },
): TaskChanges {
  if (outcome === undefined) return toCancelled();
  const length = jsonLengthOf(outcome, failed);
  if ('error' in outcome) {
    const { code, message, data } = outcome.error;
    const error: ErrorBody = {
      code,
      message: truncateMessage(message),
      ...(data !== undefined && length <= maxResult && { data }),
    };
    return toFinal('failed', { outcome: { error }, statusMessage: truncateMessage(message) });
  }
  if (length <= maxResult) return toFinal('completed', { outcome });
  if (length === Number.POSITIVE_INFINITY) return toFailed('Internal error');
  const message = `The result of Tool "${tool}" is too large to be stored: more than ${maxResult} characters. Ask for less`;
  return toFinal('completed', { outcome: { result: { content: [text(message)], isError: true } } });
}

/** The length as JSON; infinite if JSON can't represent it. */
function jsonLengthOf(outcome: JobOutcome, failed: (error: unknown) => void): number {
  try {
    return JSON.stringify(outcome).length;
  } catch (error) {
    failed(error);
    return Number.POSITIVE_INFINITY;
  }
}

/** Truncates a status message. */
export function truncateMessage(message: string): string {
  return message.length <= maxStatusMessage ? message : `${message.slice(0, maxStatusMessage - 1)}…`;
}
