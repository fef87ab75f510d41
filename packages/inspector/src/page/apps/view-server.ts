import type { AppHostOptions, AppServer } from '@ccmcp/core/apps-host';
import { effect } from '@preact/signals';
import { apiPaths, type FullCall } from '../../shared/api-paths.ts';
import type { CallEnd } from '../../shared/calls.ts';
import { isRecord, type Json, jsonEquals } from '../../shared/json.ts';
import { fetchJson, request } from '../model/api.ts';
import type { AppState, Call } from '../model/app-state.ts';
import { useAppState } from '../model/store.ts';

/** The server of a live view: its requests go through the inspector's connection, and appear in the timeline. */
export function createViewServer(connection: string): AppServer {
  return {
    request: (method, params = {}, { signal } = {}) =>
      awaitUnlessAborted(signal, () => request('call', { connection, method, params, by: 'view' })),
  };
}

/** Forwards sampling requests of a view to the user, like those of its server. */
export function createViewSampler(connection: string): NonNullable<AppHostOptions['sample']> {
  return (params, signal) => awaitUnlessAborted(signal, () => request('sample', { connection, params }));
}

/** Awaits the result of a call, which an abort cancels. */
async function awaitUnlessAborted(
  signal: AbortSignal | undefined,
  start: () => Promise<{ call: string }>,
): Promise<object> {
  signal?.throwIfAborted();
  const { call } = await start();
  const cancel = () => void request('cancel', { call });
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await awaitResult(call);
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** Waits for the end of a call and returns its result; throws a server error with its code. */
async function awaitResult(call: string): Promise<object> {
  const { truncated, result, error } = await awaitEnd(call);
  if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
  return (truncated ? (await fetchJson<FullCall>(apiPaths.call(call))).result : result) as object;
}

function awaitEnd(call: string): Promise<CallEnd> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      const end = useAppState('calls').calls.get(call)?.end;
      if (end === undefined) return;
      resolve(end);
      queueMicrotask(() => stop());
    });
  });
}

const notRecorded = -32000;

/**
 * The server of a recorded view: answers requests from the recording, and rejects others. Equal requests get the recorded answers in
 * order; after the last one, the last again.
 */
export function createRecordedServer(
  { calls }: AppState,
  { start }: Call,
  /** Called for each rejected request. */
  onRejected: (method: string, params: object) => void = () => {},
): AppServer {
  const turns = new Map<Call, number>();
  const answers = (method: string, params: Json): readonly Call[] => {
    const same = [...calls.values()].filter(
      (call) =>
        call.start.connection === start.connection &&
        call.start.method === method &&
        // Documents are the same for all readers; calls count only if the view made them.
        (call.start.by === 'view' || method === 'resources/read') &&
        call.end !== undefined &&
        jsonEquals(paramsOf(call), params),
    );
    const since = same.filter((call) => call.start.n > start.n);
    return since.length > 0 ? since : same;
  };
  return {
    async request(method, params = {}) {
      const found = answers(method, stripMeta(params as Json));
      const [first] = found;
      if (first === undefined) {
        onRejected(method, params);
        throw recordingError(`This is a recording, and it has no answer to this ${method}`);
      }
      const turn = turns.get(first) ?? 0;
      turns.set(first, turn + 1);
      const { result, error } = found[Math.min(turn, found.length - 1)]?.end ?? {};
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
      if (result === undefined) throw recordingError('The answer was too long for the recording');
      return result as object;
    },
  };
}

function recordingError(message: string): Error {
  return Object.assign(new Error(message), { code: notRecorded });
}

function paramsOf({ start: { params, truncated } }: Call): Json | undefined {
  return truncated ? undefined : stripMeta(JSON.parse(params) as Json);
}

/** Strips `_meta`, whose progress tokens differ each time. */
function stripMeta(params: Json): Json {
  if (!isRecord(params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
