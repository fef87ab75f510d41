import type { AppServer } from '@ccmcp/core/apps-host';
import { isRecord, type Json, jsonEquals } from '../form/json.ts';
import type { Call, AppState } from '../model/app-state.ts';

const notRecorded = -32000;

/**
 * The server of a view in a recording: what the view asks for is answered as it was answered then, and refused where the recording
 * has no answer. The same question is answered in the order in which it was; after the last answer, with that again.
 */
export function createRecordedServer(
  { calls }: AppState,
  { start }: Call,
  /** Told of what is refused. */
  onRefused: (method: string, params: object) => void = () => {},
): AppServer {
  const turns = new Map<Call, number>();
  const answers = (method: string, params: Json): readonly Call[] => {
    const same = [...calls.values()].filter(
      (call) =>
        call.start.connection === start.connection &&
        call.start.method === method &&
        // Whoever read a document, it is the same; what others called is none of the view's.
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
        onRefused(method, params);
        throw recordingError(`This is a recording, and it has no answer to this ${method}`);
      }
      const turn = turns.get(first) ?? 0;
      turns.set(first, turn + 1);
      const { result, error } = found[Math.min(turn, found.length - 1)]?.end ?? {};
      if (error !== undefined) throw Object.assign(new Error(error.says), { code: error.code, data: error.data });
      if (result === undefined) throw recordingError('The answer was too long for the recording');
      return result as object;
    },
  };
}

function recordingError(says: string): Error {
  return Object.assign(new Error(says), { code: notRecorded });
}

function paramsOf({ start: { params, cut } }: Call): Json | undefined {
  return cut ? undefined : stripMeta(JSON.parse(params) as Json);
}

/** Tokens for progress and the like are others each time. */
function stripMeta(params: Json): Json {
  if (!isRecord(params)) return params;
  const { _meta: _, ...rest } = params;
  return rest;
}
