import { isRecord, type Json } from '../form/json.ts';

type JsonRecord = Readonly<Record<string, Json>>;

/** Names in `_meta` whose values are others each time (tokens, ids, traces), or are compared elsewhere: who the server is. */
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
/** Names of times. */
const timeName = /(?:At|Time|Timestamp|Date)$|^(?:time|timestamp|date)$/i;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Names beside `_meta` that the protocol gives to what is another each time. */
const volatileNames = new Set(['progressToken', 'requestId', 'requestState', 'taskId', 'createdAt', 'lastUpdatedAt']);

/** Params or a result without what is another each time: tokens, ids of the protocol, and times in `_meta`. What tools say stays. */
export function withoutVolatile(value: Json): Json {
  if (!isRecord(value)) return withoutVolatileMeta(value);
  const { task, ...rest } = value as JsonRecord;
  const plain = Object.fromEntries(
    Object.entries(rest).filter(([name, inner]) => !volatileNames.has(name) && !isUsual(name, inner)),
  );
  const told = task === undefined ? {} : { task: withoutVolatile(task) };
  return withoutVolatileMeta({ ...plain, ...told });
}

/** Revisions that have no word for a result that is complete mean it. */
function isUsual(name: string, value: Json): boolean {
  return name === 'resultType' && value === 'complete';
}

/** The same value, with every `_meta` in it stripped of what is another each time. One that is empty then is left out. */
function withoutVolatileMeta(value: Json): Json {
  if (!hasMeta(value)) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutVolatileMeta);
  const kept: [string, Json][] = [];
  for (const [name, inner] of Object.entries(value as JsonRecord)) {
    if (name !== '_meta' || !isRecord(inner)) kept.push([name, withoutVolatileMeta(inner)]);
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

/** The same value with one word for all times and one for all ids, wherever they stand. */
export function withoutTimesAndIds(value: Json): Json {
  if (typeof value === 'string') return dateTime.test(value) ? '(a time)' : uuid.test(value) ? '(an id)' : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutTimesAndIds);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value as JsonRecord).map(([name, inner]) => [name, withoutTimesAndIds(inner)]),
  );
}
