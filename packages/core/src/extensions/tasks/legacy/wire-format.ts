import { ErrorCode, ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject, type Params } from '../../../jsonrpc/message.ts';
import type { ContentBlock } from '../../../protocol/content.ts';
import type { Result } from '../../../protocol/results.ts';
import type { AsideOutcome } from '../../../server/aside.ts';
import { boundedText } from '../../../server/result-size.ts';
import type { TaskStatus } from '../protocol.ts';
import type { TaskRecord } from '../task-record.ts';
import { publicTaskId } from '../task-id.ts';
import type { Operation } from '../../../server/operation.ts';

/*
 * Tasks that a client asks for with its call: the form in which a handshake revision has them itself. The records are those
 * of the extension; here is how they are told in that form.
 */

/** The name of the part of a revision that has tasks in this form. */
export const legacyTasksPart = 'tasks';

/** The requests about a task that a client asked for. */
export const legacyTaskMethods = {
  get: 'tasks/get',
  result: 'tasks/result',
  list: 'tasks/list',
  cancel: 'tasks/cancel',
} as const;

/** Tells the client that asked for a task how it stands. */
export const statusNotification = 'notifications/tasks/status';

/** The key in `_meta` of whatever belongs to a task and does not name it otherwise. */
const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** A task in the form of a revision in which clients ask for them. */
export interface LegacyTask {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttl: number;
  readonly pollInterval: number;
}

/** The answer to a call that asked for a task. */
export function encodeCreatedTask(record: TaskRecord): Result {
  return { task: encodeLegacyTask(record) };
}

/** Tells how a task stands. One whose tool has told of an error has failed here. */
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

/** Marks what belongs to a task, by its id as it is kept: a result, or the params of a question. */
export function withRelatedTask<T extends Params>(id: string, message: T): T & { _meta: Record<string, unknown> } {
  const meta = isObject(message._meta) ? message._meta : {};
  return { ...message, _meta: { ...meta, [relatedTaskKey]: { taskId: publicTaskId(id) } } };
}

/** What a task that is over has come to. Throws the error where there is one in place of the tool's result. */
export function toResult(outcome: AsideOutcome | undefined): Result {
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

/** What a client says of the task that it asks for. */
export interface TaskRequest {
  /** How long it is to be kept, in milliseconds; undefined: the server decides. */
  readonly ttlMs: number | undefined;
}

/** True where a call asks for a task. */
export function requestsTask({ task }: Params): boolean {
  return isObject(task);
}

/** The task that a call asks for; undefined where it asks for none, or its revision has no such thing. */
export function parseTaskRequest({ params, parts }: Operation): TaskRequest | undefined {
  if (!parts.has(legacyTasksPart) || !isObject(params.task)) return undefined;
  const { ttl } = params.task;
  const isTime = typeof ttl === 'number' && Number.isFinite(ttl) && ttl > 0;
  return { ttlMs: isTime ? Math.ceil(ttl) : undefined };
}
