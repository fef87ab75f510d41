import type { SeenMessage } from '../../shared/messages.ts';
import { written } from '../log/safe-stringify.ts';

/** What a text turns out to be, as far as that can be told. */
export interface Parsed {
  /** The text of this message alone. */
  readonly text: string;
  readonly kind: SeenMessage['kind'];
  readonly id?: string | number;
  readonly method?: string;
  readonly subject?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The tasks that the message tells of. */
  readonly tasks?: readonly ToldTask[];
}

/** A task as a server tells of it. */
export interface ToldTask {
  readonly taskId: string;
  readonly status: string;
  readonly [name: string]: unknown;
}

const longestName = 200;
const longestId = 1000;

/** Takes a frame apart: one message, the messages of a batch, or something that is none. Never throws. */
export function parseFrame(text: string): Parsed[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ text, kind: 'broken' }];
  }
  if (!Array.isArray(value)) return [parseMessage(value, text)];
  return value.length === 0
    ? [{ text, kind: 'broken' }]
    : value.map((each: unknown) => parseMessage(each, written(each)));
}

function parseMessage(value: unknown, text: string): Parsed {
  if (!isObject(value)) return { text, kind: 'broken' };
  const { id, method, params, error } = value;
  const known = typeof id === 'number' || (typeof id === 'string' && id.length <= longestId) ? { id } : {};
  if (typeof method === 'string') {
    const about = isObject(params) ? { params, ...subjectOf(params) } : {};
    const kind = id === undefined ? 'notification' : 'request';
    return { text, kind, ...known, method: cut(method), ...about, ...(kind === 'notification' && tasksIn(params)) };
  }
  if (error !== undefined) return { text, kind: 'error', ...known };
  return 'result' in value
    ? { text, kind: 'result', ...known, ...tasksIn(value.result) }
    : { text, kind: 'broken', ...known };
}

/** Tasks are told of in results, and in notifications; earlier revisions put them one level deeper, and list them. */
function tasksIn(value: unknown): { tasks?: readonly ToldTask[] } {
  if (!isObject(value)) return {};
  const { task, tasks } = value;
  const told = [value, task, ...(Array.isArray(tasks) ? tasks : [])].filter(isTask);
  return told.length === 0 ? {} : { tasks: told };
}

function isTask(value: unknown): value is ToldTask {
  return isObject(value) && typeof value.taskId === 'string' && typeof value.status === 'string';
}

/** What a request is about: the name of a tool or prompt, or the address of a resource. */
export function subjectOf({ name, uri, ref }: Readonly<Record<string, unknown>>): { subject?: string } {
  if (typeof name === 'string') return { subject: cut(name) };
  if (typeof uri === 'string') return { subject: cut(uri) };
  return isObject(ref) ? subjectOf({ name: ref.name, uri: ref.uri }) : {};
}

function cut(text: string): string {
  return text.length > longestName ? `${text.slice(0, longestName)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
