import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import type { ContentBlock } from '../../../protocol/content.ts';
import type { Result } from '../../../protocol/results.ts';
import type { JobOutcome } from '../../../server/call/background-job.ts';
import { boundedText } from '../../../server/call/result-size.ts';
import type { Task } from '../protocol.ts';
import type { TaskRecord } from '../task-record.ts';
import { publicTaskId } from '../task-id.ts';
import type { Operation } from '../../../server/call/operation.ts';

/**
 * The wire format of tasks in a handshake revision, where clients request them with a call. The records are those of
 * the extension.
 */

/** The part of a revision that has tasks in this form. */
export const legacyTasksFeature = 'tasks';

/** The requests about a legacy task. */
export const legacyTaskMethods = {
  get: 'tasks/get',
  result: 'tasks/result',
  list: 'tasks/list',
  cancel: 'tasks/cancel',
} as const;

/** Notifies the client that requested a task of its status. */
export const statusNotification = 'notifications/tasks/status';

/** The `_meta` key that relates a message to a task. */
const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** A task in the legacy form. */
export interface LegacyTask extends Omit<Task, 'ttlMs' | 'pollIntervalMs'> {
  readonly ttl: number;
  readonly pollInterval: number;
}

/** The answer to a call that requested a task. */
export function encodeCreatedTask(record: TaskRecord): Result {
  return { task: encodeLegacyTask(record) };
}

/** Encodes a task. If its tool returned an error, it has failed in this form. */
export function encodeLegacyTask(record: TaskRecord): LegacyTask {
  const { id, createdAt, updatedAt, ttlMs, pollMs } = record;
  const wrong = toolErrorOf(record);
  const statusMessage = wrong === undefined ? record.statusMessage : (firstText(wrong) ?? record.statusMessage);
  return {
    taskId: publicTaskId(id),
    status: wrong === undefined ? record.status : 'failed',
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: pollMs,
  };
}

/** Relates a result, or the params of a question, to a task by its stored id. */
export function withRelatedTask<T extends Params>(id: string, message: T): T & { _meta: Record<string, unknown> } {
  const meta = isObject(message._meta) ? message._meta : {};
  return { ...message, _meta: { ...meta, [relatedTaskKey]: { taskId: publicTaskId(id) } } };
}

/** The result of a finished task. Throws its error if it has one. */
export function toResult(outcome: JobOutcome | undefined): Result {
  if (outcome === undefined)
    throw new ProtocolError(ErrorCode.InternalError, 'The task was cancelled: there is no result');
  if ('result' in outcome) return outcome.result;
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, data);
}

function toolErrorOf({ outcome }: TaskRecord): Result | undefined {
  return outcome !== undefined && 'result' in outcome && outcome.result.isError === true ? outcome.result : undefined;
}

function firstText({ content }: Result): string | undefined {
  const block = (content as readonly ContentBlock[]).find(({ type }) => type === 'text');
  return block?.type === 'text' ? boundedText(block.text) : undefined;
}

/** The task options of a client. */
export interface TaskRequest {
  /** How long to keep it, in milliseconds; undefined: the server decides. */
  readonly ttlMs: number | undefined;
}

/** True if a call requests a task. */
export function requestsTask({ task }: Params): boolean {
  return isObject(task);
}

/** The task that a call requests; undefined if it requests none, or its revision has none. */
export function parseTaskRequest({ params, builtInFeatures }: Operation): TaskRequest | undefined {
  if (!builtInFeatures.has(legacyTasksFeature) || !isObject(params.task)) return undefined;
  const { ttl } = params.task;
  const isTime = typeof ttl === 'number' && Number.isFinite(ttl) && ttl > 0;
  return { ttlMs: isTime ? Math.ceil(ttl) : undefined };
}
