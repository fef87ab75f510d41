import { checkValue, type Client, contentTokens, textTokens } from '@ccmcp/core/client';
import { toCallError } from '../../probe/explain-error.ts';
import { type FullCall, maxInlineResult, previewCharacters } from '../../shared/api-paths.ts';
import type { CallStart, Problem } from '../../shared/calls.ts';
import { type EventLog, type IdGenerator, roundMs } from '../log/event-log.ts';
import { safeStringify, subjectOf } from '@ccmcp/core/recording';
import { RequestError } from '../targets.ts';
import { ListSummary } from './lists.ts';
import { currentCall } from './message-tracker.ts';

type Params = Readonly<Record<string, unknown>>;

/** The connection of a call. */
export interface CallHost {
  readonly id: string;
  readonly client: Client;
  started(call: string): void;
  ended(call: string, outcome: string): void;
  /** Output schema of a tool. */
  outputSchema(tool: string): unknown;
}

/** A call to make. */
export interface CallRequest {
  readonly method: string;
  readonly params?: Params;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  readonly repeats?: string;
  readonly by?: 'page' | 'view';
}

/** A recorded call. */
interface CallRecord {
  readonly connection: string;
  readonly method: string;
  readonly start: number;
  end?: number;
}

/** Maximum number of calls that run at a time, per connection. */
const maxRunning = 1000;

/** Running and finished calls. */
export class Calls {
  readonly #log: EventLog;
  readonly #ids: IdGenerator;
  readonly #records = new Map<string, CallRecord>();
  readonly #running = new Map<string, { readonly host: CallHost; readonly stop: AbortController }>();

  constructor(log: EventLog, ids: IdGenerator) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Starts a call of the page: returns its id immediately, and its result as a promise. */
  start(host: CallHost, request: CallRequest): { call: string; done: Promise<unknown> } {
    const running = [...this.#running.values()].filter((each) => each.host.id === host.id);
    if (running.length >= maxRunning)
      throw new RequestError(`${maxRunning} calls are already running`, 'Cancel some of them.', 409);
    const stop = new AbortController();
    const { client } = host;
    const { method, params = {}, timeoutMs, idempotencyKey } = request;
    const options = {
      signal: stop.signal,
      // Requests progress, which extends the timeout of long calls.
      onProgress: () => {},
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      retries: 0,
    };
    const { name, arguments: args, _meta: meta, ...others } = params;
    const isPlain = method === 'tools/call' && typeof name === 'string' && Object.keys(others).length === 0;
    const make = (): Promise<object> =>
      isPlain
        ? client.callTool(name, args as Record<string, unknown>, {
            ...options,
            ...(meta ? { meta: meta as Record<string, unknown> } : {}),
          })
        : client.request(method, params, options);
    return this.#run(host, { request, by: request.by ?? 'page', stop, make });
  }

  /** Makes a request of the inspector itself, logged as a call. */
  startOwn(
    host: CallHost,
    request: Pick<CallRequest, 'method' | 'params'>,
    make: () => Promise<object>,
  ): Promise<unknown> {
    return this.#run(host, { request, by: 'inspector', stop: new AbortController(), make }).done;
  }

  /** Answers a request of a view locally, logged as a call. The server is not involved. */
  startLocal(
    host: CallHost,
    request: Pick<CallRequest, 'method' | 'params'>,
    answer: (signal: AbortSignal) => Promise<object>,
  ): { call: string } {
    const stop = new AbortController();
    return this.#run(host, { request, by: 'view', stop, make: () => answer(stop.signal) });
  }

  cancel(call: string): void {
    this.#running.get(call)?.stop.abort(new Error('Cancelled by the user of the inspector'));
  }

  /** Cancels all calls of a connection. */
  cancelAll(connection: string): void {
    for (const { host, stop } of this.#running.values())
      if (host.id === connection) stop.abort(new Error('The connection is closed'));
  }

  /** A call with full params and result, if they are still stored. */
  full(call: string): FullCall {
    const made = this.#records.get(call);
    const { connection, method, start, end } = made ?? {};
    const params = start === undefined ? undefined : this.#log.texts.get(start);
    if (connection === undefined || method === undefined || params === undefined || params.truncated) {
      throw new RequestError(
        'This call is no longer available',
        'Older calls are dropped to limit memory: repeat it.',
        404,
      );
    }
    const known = { connection, method, params: JSON.parse(params.text) as Params };
    if (end === undefined) return known;
    const result = this.#log.texts.get(end);
    if (result === undefined) return { ...known, missing: 'evicted' };
    return result.truncated
      ? { ...known, missing: 'too-large' }
      : { ...known, result: JSON.parse(result.text) as unknown };
  }

  #run(
    host: CallHost,
    {
      request,
      by,
      stop,
      make,
    }: { request: CallRequest; by: CallStart['by']; stop: AbortController; make: () => Promise<object> },
  ): { call: string; done: Promise<unknown> } {
    const { method, params = {}, repeats } = request;
    const call = this.#ids.next('c');
    const text = JSON.stringify(params);
    const isLong = text.length > previewCharacters;
    const { n } = this.#log.add(
      'call',
      {
        call,
        connection: host.id,
        method,
        ...subjectOf(params),
        params: isLong ? text.slice(0, previewCharacters) : text,
        ...(isLong && { truncated: true as const }),
        by,
        ...(repeats !== undefined && { repeats }),
      },
      text,
    );
    const made: CallRecord = { connection: host.id, method, start: n };
    this.#records.set(call, made);
    this.#running.set(call, { host, stop });
    this.#evictOld();
    host.started(call);
    return { call, done: this.#finish({ call, made, host, request, stop }, make) };
  }

  async #finish(
    {
      call,
      made,
      host,
      request,
      stop,
    }: { call: string; made: CallRecord; host: CallHost; request: CallRequest; stop: AbortController },
    make: () => Promise<object>,
  ): Promise<unknown> {
    const since = performance.now();
    try {
      const result = await currentCall.run(call, make);
      const ms = roundMs(performance.now() - since);
      const text = safeStringify(result);
      const problems = await checkOutput(host, request, result);
      const isBroken = problems !== undefined && problems.length > 0;
      const outcome = isBroken
        ? 'broken-output'
        : (result as { isError?: unknown }).isError === true
          ? 'tool-error'
          : 'ok';
      const isShort = text.length <= maxInlineResult;
      host.ended(call, outcome);
      const { n } = this.#log.add(
        'call-end',
        {
          call,
          outcome,
          ms,
          ...sizeOf(result, text),
          ...(result instanceof ListSummary
            ? { listed: result.count }
            : isShort
              ? { result }
              : { truncated: true as const }),
          ...(problems?.length === 0 && { fits: true as const }),
          ...(isBroken && { problems }),
        },
        text,
      );
      made.end = n;
      return result;
    } catch (error) {
      const { outcome, error: callError } = toCallError(error, stop.signal.aborted);
      host.ended(call, outcome);
      this.#log.add('call-end', {
        call,
        outcome,
        ms: roundMs(performance.now() - since),
        bytes: 0,
        tokens: 0,
        error: callError,
      });
      return undefined;
    } finally {
      this.#running.delete(call);
    }
  }

  #evictOld(): void {
    for (const [call, { start }] of this.#records) {
      if (start >= this.#log.first) return;
      if (!this.#running.has(call)) this.#records.delete(call);
    }
  }
}

/** Problems of a structured result; undefined if the tool has no output schema. */
async function checkOutput(
  host: CallHost,
  { method, params = {} }: CallRequest,
  result: object,
): Promise<Problem[] | undefined> {
  const { isError, structuredContent } = result as { isError?: unknown; structuredContent?: unknown };
  if (method !== 'tools/call' || isError === true) return undefined;
  const schema = host.outputSchema(String(params.name));
  if (schema === undefined) return undefined;
  if (structuredContent === undefined) {
    return [{ path: '', message: 'The tool has an output schema but returned no structured content' }];
  }
  const checked = await checkValue(schema, structuredContent);
  if ('unusable' in checked) return [{ path: '', message: checked.unusable }];
  return checked.problems.map(({ path, message }) => ({ path, message }));
}

/** Size of a result, and tokens of what a model receives: a tool's content, else everything. */
function sizeOf(result: object, text: string): { bytes: number; tokens: number } {
  if (result instanceof ListSummary) return { bytes: result.bytes, tokens: result.tokens };
  // Read from the text, which is not nested too deeply to be read.
  const { content } = JSON.parse(text) as { content?: unknown };
  return {
    bytes: Buffer.byteLength(text),
    tokens: Array.isArray(content) ? contentTokens(content) : textTokens(text),
  };
}
