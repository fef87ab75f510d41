import { isRecord, type Json } from '../form/json.ts';

type JsonRecord = Readonly<Record<string, Json>>;

/** Keys in `_meta` whose values differ each time (tokens, ids, traces), or are compared elsewhere (server info). */
const volatileMeta = new Set([
  'progressToken',
  'subscriptionId',
  'related-task',
  'traceparent',
  'tracestate',
  'baggage',
  'sessionId',
  'requestId',
  'serverInfo',
]);
/** Key names that hold times. */
const timeName = /(?:At|Time|Timestamp|Date)$|^(?:time|timestamp|date)$/i;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Keys outside `_meta` that the protocol uses for volatile values. */
const volatileNames = new Set(['progressToken', 'requestId', 'requestState', 'taskId', 'createdAt', 'lastUpdatedAt']);

/** Strips volatile values from params or a result: tokens, protocol ids, times in `_meta`. Output of tools stays. */
export function stripVolatile(value: Json): Json {
  if (!isRecord(value)) return stripVolatileMeta(value);
  const { task, ...rest } = value as JsonRecord;
  const plain = Object.fromEntries(
    Object.entries(rest).filter(([name, inner]) => !volatileNames.has(name) && !isDefault(name, inner)),
  );
  const told = task === undefined ? {} : { task: stripVolatile(task) };
  return stripVolatileMeta({ ...plain, ...told });
}

/** Revisions without `resultType` imply `complete`. */
function isDefault(name: string, value: Json): boolean {
  return name === 'resultType' && value === 'complete';
}

/** Strips volatile keys from every `_meta`, and drops a `_meta` that becomes empty. */
function stripVolatileMeta(value: Json): Json {
  if (!hasMeta(value)) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(stripVolatileMeta);
  const kept: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value as JsonRecord)) {
    if (name !== '_meta' || !isRecord(inner)) kept.push([name, stripVolatileMeta(inner)]);
    else {
      const meta = Object.entries(inner as JsonRecord).filter(([key, each]) => !isVolatileMeta(key, each));
      if (meta.length > 0) kept.push([name, Object.fromEntries(meta)]);
    }
  }
  return Object.fromEntries(kept);
}

function hasMeta(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasMeta);
  return '_meta' in value || Object.values(value as JsonRecord).some(hasMeta);
}

function isVolatileMeta(name: string, value: Json): boolean {
  const short = name.slice(name.lastIndexOf('/') + 1);
  if (volatileMeta.has(short) || timeName.test(short)) return true;
  return typeof value === 'string' && (dateTime.test(value) || uuid.test(value));
}

/** Replaces every time and every id by a placeholder. */
export function maskTimesAndIds(value: Json): Json {
  if (typeof value === 'string') return dateTime.test(value) ? '(a time)' : uuid.test(value) ? '(an id)' : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(maskTimesAndIds);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonRecord).map(([name, inner]) => [name, maskTimesAndIds(inner)]));
}
