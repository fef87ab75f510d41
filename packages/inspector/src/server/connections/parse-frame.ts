import { isRecord } from '../../shared/json.ts';
import type { LoggedMessage } from '../../shared/messages.ts';
import { safeStringify } from '../log/safe-stringify.ts';

/** A parsed message. */
export interface ParsedMessage {
  /** Text of this message alone. */
  readonly text: string;
  readonly kind: LoggedMessage['kind'];
  readonly id?: string | number;
  readonly method?: string;
  readonly subject?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Tasks that the message reports. */
  readonly tasks?: readonly ReportedTask[];
}

/** A task as the server reports it. */
export interface ReportedTask {
  readonly taskId: string;
  readonly status: string;
  readonly [name: string]: unknown;
}

const maxNameLength = 200;
const maxIdLength = 1000;

/** Parses a frame: one message, a batch, or garbage. Never throws. */
export function parseFrame(text: string): ParsedMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ text, kind: 'broken' }];
  }
  if (!Array.isArray(value)) return [parseMessage(value, text)];
  return value.length === 0
    ? [{ text, kind: 'broken' }]
    : value.map((each: unknown) => parseMessage(each, safeStringify(each)));
}

function parseMessage(value: unknown, text: string): ParsedMessage {
  if (!isRecord(value)) return { text, kind: 'broken' };
  const { id, method, params, error } = value;
  const known = typeof id === 'number' || (typeof id === 'string' && id.length <= maxIdLength) ? { id } : {};
  if (typeof method === 'string') {
    const about = isRecord(params) ? { params, ...subjectOf(params) } : {};
    const kind = id === undefined ? 'notification' : 'request';
    return {
      text,
      kind,
      ...known,
      method: truncate(method),
      ...about,
      ...(kind === 'notification' && findTasks(params)),
    };
  }
  if (error !== undefined) return { text, kind: 'error', ...known };
  return 'result' in value
    ? { text, kind: 'result', ...known, ...findTasks(value.result) }
    : { text, kind: 'broken', ...known };
}

/** Results and notifications report tasks; earlier revisions nest them one level deeper, or list them. */
function findTasks(value: unknown): { tasks?: readonly ReportedTask[] } {
  if (!isRecord(value)) return {};
  const { task, tasks } = value;
  const found = [value, task, ...(Array.isArray(tasks) ? tasks : [])].filter(isTask);
  return found.length === 0 ? {} : { tasks: found };
}

function isTask(value: unknown): value is ReportedTask {
  return isRecord(value) && typeof value.taskId === 'string' && typeof value.status === 'string';
}

/** Subject of a request: name of a tool or prompt, or URI of a resource. */
export function subjectOf({ name, uri, ref }: Readonly<Record<string, unknown>>): { subject?: string } {
  if (typeof name === 'string') return { subject: truncate(name) };
  if (typeof uri === 'string') return { subject: truncate(uri) };
  return isRecord(ref) ? subjectOf({ name: ref.name, uri: ref.uri }) : {};
}

function truncate(text: string): string {
  return text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
}
