import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { encode, type RequestId, type Response } from '../jsonrpc/message.ts';
import { type EncodedResponse, encodeResponses } from './call/encode-responses.ts';
import type { EngineState } from './engine-state.ts';
import type { CallerUsage } from './peer.ts';
import { retryLater, retryMs } from './retry-later.ts';
import { ResultTooLarge, roomAfter } from './call/result-size.ts';

/** Results of a batch together, as JSON, in characters. */
const maxResults = 4 * 1024 * 1024;
/** A request that is not counted in that, in characters. */
const shortAnswer = 1024;

/**
 * The answers of a batch until all are there. Each is written as soon as it is there, so that its result can be collected;
 * together they have a limit of their own. Those that wait for others of their batch count as what their caller has in work.
 */
export class BatchAnswers {
  readonly #server: EngineState;
  readonly #usage: CallerUsage | undefined;
  readonly #max: number;
  #room: number;
  #held = 0;
  /** True once a result did not fit: what was not begun before is not worth serving. */
  isFull = false;

  constructor(server: EngineState, usage: CallerUsage | undefined) {
    this.#server = server;
    this.#usage = usage;
    this.#max = Math.min(server.settings.maxResult, maxResults);
    this.#room = this.#max;
  }

  /** Writes an answer; an error in place of a result that does not fit, which is not written first. */
  encode(response: Response): EncodedResponse {
    const room = this.#room;
    const isTooLarge = 'result' in response && roomAfter(response.result, room) < 0;
    const error = isTooLarge ? this.#server.errorResponse(response.id, resultsTooLarge(this.#max)) : undefined;
    if (error !== undefined && room < this.#max) this.isFull = true;
    const json = encodeResponses(this.#server, error ?? response, room, () => resultsTooLarge(this.#max));
    this.#room = Math.max(room - json.length, 0);
    return { id: response.id ?? null, json };
  }

  /** Counts an answer that has to wait for others. Gives an error in its place where its caller holds too much already. */
  hold(answer: EncodedResponse): EncodedResponse {
    const { length } = answer.json;
    if (length > shortAnswer && this.#usage?.overload('incoming', length) !== undefined) {
      return { id: answer.id, json: encode(this.#server.errorResponse(answer.id as RequestId, noRoomInBatch())) };
    }
    this.#usage?.take('incoming', length);
    this.#held += length;
    return answer;
  }

  /** All are there: they wait no longer. */
  release(): void {
    this.#usage?.release('incoming', this.#held);
    this.#held = 0;
  }
}

/** The error of a request that is not served because the answer to its batch is full. */
export function unservedInBatch(): ProtocolError {
  const message =
    'The request was not served: the results before it leave no room in the answer to its batch. Send it again by itself';
  return retryLater(message, { retryAfterMs: retryMs, limit: 'caller' });
}

function resultsTooLarge(max: number): ResultTooLarge {
  return new ResultTooLarge('the request, with those before it in the batch,', max);
}

/** Without a hint to try again: what was asked for was done. */
function noRoomInBatch(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The request was served, but there is no room to keep its result until the rest of its batch is served. ' +
      'Send requests with large results by themselves, or fewer at a time',
  );
}
