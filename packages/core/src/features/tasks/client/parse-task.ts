import { briefJson } from '../../../jsonrpc/text.ts';
import { ResultError } from '../../../client/errors.ts';
import type { ErrorBody } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import type { CallToolResult } from '../../../protocol/results.ts';
import { type DetailedTask, type InputRequest, isFinal, type Task, type TaskStatus } from '../protocol.ts';

/** Maximum length of a task id, in characters. */
const longestId = 1024;
/** Maximum number of open questions of a task; more are rejected. */
const mostQuestions = 100;

/** Field names that differ between the two wire forms. */
export interface TaskFieldNames {
  readonly ttl: string;
  readonly poll: string;
}

const statuses: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

/** Parses the fields that every task has. Throws a `ResultError` for anything else. */
export function parseTask(value: unknown, names: TaskFieldNames): Task {
  if (!isObject(value)) throw new ResultError('The server returned a task that is not an object', value);
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = value;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > longestId) {
    throw new ResultError(`The server returned a task without an id of 1 to ${longestId} characters`, value);
  }
  if (!statuses.has(status)) {
    throw new ResultError(`The server returned a task with an unknown status: ${brief(status)}`, value);
  }
  const ttlMs = value[names.ttl];
  const pollIntervalMs = value[names.poll];
  return {
    taskId,
    status: status as TaskStatus,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    createdAt: typeof createdAt === 'string' ? createdAt : '',
    lastUpdatedAt: typeof lastUpdatedAt === 'string' ? lastUpdatedAt : '',
    ttlMs: isDuration(ttlMs) ? ttlMs : null,
    ...(isDuration(pollIntervalMs) && { pollIntervalMs }),
  };
}

/** Parses the task in the answer to a call. Its outcome comes later, even if it has ended already. */
export function parseHandle(value: unknown, names: TaskFieldNames): DetailedTask {
  const task = parseTask(value, names);
  return isFinal(task.status) ? { ...task, status: 'working' } : task;
}

/** Parses a task of the extension with its questions or outcome. */
export function parseDetailedTask(value: unknown, names: TaskFieldNames): DetailedTask {
  const task = parseTask(value, names);
  const { inputRequests, result, error } = value as Record<string, unknown>;
  if (task.status === 'input_required') return { ...task, inputRequests: parseQuestions(inputRequests, value) };
  if (task.status === 'completed') {
    if (isObject(result) && isFinalResult(result.resultType)) return { ...task, result: result as CallToolResult };
    throw new ResultError('The server returned a completed task without a result', value);
  }
  if (task.status !== 'failed') return task;
  if (isErrorBody(error)) return { ...task, error };
  throw new ResultError('The server returned a failed task without an error', value);
}

/** A result inside a task is always final. */
function isFinalResult(resultType: unknown): boolean {
  return resultType === undefined || resultType === 'complete';
}

function parseQuestions(inputRequests: unknown, task: unknown): Readonly<Record<string, InputRequest>> {
  if (!isObject(inputRequests))
    throw new ResultError('The server requires input for a task without input requests', task);
  const questions = Object.entries(inputRequests);
  if (questions.length > mostQuestions) {
    throw new ResultError(`The server asks more than ${mostQuestions} questions at once`, task);
  }
  for (const [key, question] of questions) {
    if (isObject(question) && typeof question.method === 'string') continue;
    throw new ResultError(`The server sent an invalid question: ${brief(key)}`, task);
  }
  return inputRequests as Readonly<Record<string, InputRequest>>;
}

function isErrorBody(error: unknown): error is ErrorBody {
  return isObject(error) && typeof error.code === 'number' && typeof error.message === 'string';
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function brief(value: unknown): string {
  return value === undefined ? 'none' : briefJson(value);
}
