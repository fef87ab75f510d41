import { limits } from '@ccmcp/core';
import { checkValue, type Client, textTokens } from '@ccmcp/core/client';
import { inlineResult, previewCharacters, type WholeCall } from '../../shared/api-paths.ts';
import type { CallStart, Problem } from '../../shared/calls.ts';
import type { Ids } from '../id-generator.ts';
import type { EventLog } from '../log/event-log.ts';
import { written } from '../log/safe-stringify.ts';
import { Refusal } from '../targets.ts';
import { failureOf } from './explain-error.ts';
import { inCall } from './message-tracker.ts';
import { ListSummary } from './lists.ts';
import { subjectOf } from './parse-frame.ts';
import { round } from './message-tracker.ts';

type Params = Readonly<Record<string, unknown>>;

/** What a call needs of its connection. */
export interface CallHost {
  readonly id: string;
  readonly client: Client;
  started(call: string): void;
  ended(call: string, outcome: string): void;
  /** The schema that the results of a tool promise to fit. */
  outputSchema(tool: string): unknown;
}

/** How a call is made. */
export interface CallWish {
  readonly method: string;
  readonly params?: Params;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  readonly repeats?: string;
  readonly by?: 'page' | 'view';
}

/** A call as it is remembered. */
interface Made {
  readonly connection: string;
  readonly method: string;
  readonly start: number;
  end?: number;
}

const mostRunning = limits.inspector.openCalls.value;

/** The calls that were made, and those that run. */
export class Calls {
  readonly #log: EventLog;
  readonly #ids: Ids;
  readonly #made = new Map<string, Made>();
  readonly #running = new Map<string, { readonly host: CallHost; readonly stop: AbortController }>();

  constructor(log: EventLog, ids: Ids) {
    this.#log = log;
    this.#ids = ids;
  }

  /** Makes a call for the page: gives its id at once, and what comes of it. */
  start(host: CallHost, wish: CallWish): { call: string; done: Promise<unknown> } {
    const running = [...this.#running.values()].filter((each) => each.host.id === host.id);
    if (running.length >= mostRunning)
      throw new Refusal(`${mostRunning} calls run already`, 'Cancel some of them.', 409);
    const stop = new AbortController();
    const { client } = host;
    const { method, params = {}, timeoutMs, idempotencyKey } = wish;
    const options = {
      signal: stop.signal,
      // Asks for progress, which gives a long call the time that it needs.
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
    return this.#run(host, { wish, by: wish.by ?? 'page', stop, make });
  }

  /** Makes a request for the inspector itself, which is seen as a call. */
  own(host: CallHost, wish: Pick<CallWish, 'method' | 'params'>, make: () => Promise<object>): Promise<unknown> {
    return this.#run(host, { wish, by: 'inspector', stop: new AbortController(), make }).done;
  }

  /** Has something answered here that a view asks for. Nothing of it reaches the server, and it is seen as a call. */
  answered(
    host: CallHost,
    wish: Pick<CallWish, 'method' | 'params'>,
    answer: (signal: AbortSignal) => Promise<object>,
  ): { call: string } {
    const stop = new AbortController();
    return this.#run(host, { wish, by: 'view', stop, make: () => answer(stop.signal) });
  }

  cancel(call: string): void {
    this.#running.get(call)?.stop.abort(new Error('Cancelled by the user of the inspector'));
  }

  /** Gives up all calls of a connection. */
  cancelAll(connection: string): void {
    for (const { host, stop } of this.#running.values())
      if (host.id === connection) stop.abort(new Error('The connection is closed'));
  }

  /** A call with its params and result whole, as far as they are still known. */
  whole(call: string): WholeCall {
    const made = this.#made.get(call);
    const { connection, method, start, end } = made ?? {};
    const params = start === undefined ? undefined : this.#log.texts.get(start);
    if (connection === undefined || method === undefined || params === undefined || params.cut) {
      throw new Refusal('This call is not known any more', 'Older calls are given up to bound memory: repeat it.', 404);
    }
    const known = { connection, method, params: JSON.parse(params.text) as Params };
    if (end === undefined) return known;
    const result = this.#log.texts.get(end);
    if (result === undefined) return { ...known, missing: 'given-up' };
    return result.cut ? { ...known, missing: 'too-large' } : { ...known, result: JSON.parse(result.text) as unknown };
  }

  #run(
    host: CallHost,
    {
      wish,
      by,
      stop,
      make,
    }: { wish: CallWish; by: CallStart['by']; stop: AbortController; make: () => Promise<object> },
  ): { call: string; done: Promise<unknown> } {
    const { method, params = {}, repeats } = wish;
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
        ...(isLong && { cut: true as const }),
        by,
        ...(repeats !== undefined && { repeats }),
      },
      text,
    );
    const made: Made = { connection: host.id, method, start: n };
    this.#made.set(call, made);
    this.#running.set(call, { host, stop });
    this.#forgetOld();
    host.started(call);
    return { call, done: this.#finish({ call, made, host, wish, stop }, make) };
  }

  async #finish(
    {
      call,
      made,
      host,
      wish,
      stop,
    }: { call: string; made: Made; host: CallHost; wish: CallWish; stop: AbortController },
    make: () => Promise<object>,
  ): Promise<unknown> {
    const since = performance.now();
    try {
      const result = await inCall.run(call, make);
      const ms = round(performance.now() - since);
      const text = written(result);
      const problems = await checkedOutput(host, wish, result);
      const isBroken = problems !== undefined && problems.length > 0;
      const outcome = isBroken
        ? 'broken-output'
        : (result as { isError?: unknown }).isError === true
          ? 'tool-error'
          : 'ok';
      const isShort = text.length <= inlineResult;
      host.ended(call, outcome);
      const { n } = this.#log.add(
        'call-end',
        {
          call,
          outcome,
          ms,
          ...sizeOf(result, text),
          ...(result instanceof ListSummary ? { listed: result.count } : isShort ? { result } : { cut: true as const }),
          ...(problems?.length === 0 && { fits: true as const }),
          ...(isBroken && { problems }),
        },
        text,
      );
      made.end = n;
      return result;
    } catch (error) {
      const { outcome, error: told } = failureOf(error, stop.signal.aborted);
      host.ended(call, outcome);
      this.#log.add('call-end', {
        call,
        outcome,
        ms: round(performance.now() - since),
        bytes: 0,
        tokens: 0,
        error: told,
      });
      return undefined;
    } finally {
      this.#running.delete(call);
    }
  }

  #forgetOld(): void {
    for (const [call, { start }] of this.#made) {
      if (start >= this.#log.first) return;
      if (!this.#running.has(call)) this.#made.delete(call);
    }
  }
}

/** What is wrong with the structured result of a tool that promises one; undefined where none is promised. */
async function checkedOutput(
  host: CallHost,
  { method, params = {} }: CallWish,
  result: object,
): Promise<Problem[] | undefined> {
  const { isError, structuredContent } = result as { isError?: unknown; structuredContent?: unknown };
  if (method !== 'tools/call' || isError === true) return undefined;
  const schema = host.outputSchema(String(params.name));
  if (schema === undefined) return undefined;
  if (structuredContent === undefined) {
    return [{ path: '', says: 'The tool has an output schema but gave no structured content' }];
  }
  const checked = await checkValue(schema, structuredContent);
  if ('unusable' in checked) return [{ path: '', says: checked.unusable }];
  return checked.problems.map(({ path, message }) => ({ path, says: message }));
}

/** How large a result is, and what of it a model is given: the content of a tool's, else all of it. */
function sizeOf(result: object, text: string): { bytes: number; tokens: number } {
  if (result instanceof ListSummary) return { bytes: result.bytes, tokens: result.tokens };
  const { content } = result as { content?: unknown };
  return {
    bytes: Buffer.byteLength(text),
    tokens: textTokens(Array.isArray(content) ? written(content) : text),
  };
}
