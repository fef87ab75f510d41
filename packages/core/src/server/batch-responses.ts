import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { encode, type RequestId, type Response } from '../jsonrpc/message.ts';
import { type EncodedResponse, encodeResponses } from './call/encode-responses.ts';
import type { EngineState } from './engine-state.ts';
import type { CallerUsage } from './peer.ts';
import { retryLater, retryMs } from './retry-later.ts';
import { ResultTooLarge, remainingLength } from './call/result-size.ts';

/** Maximum size of all results of a batch, in characters of JSON. */
const maxResults = 4 * 1024 * 1024;
/** Size below which a response is not counted, in characters. */
const shortAnswer = 1024;

/**
 * Collects the responses of a batch. Each is encoded as soon as it is complete, so that its result can be garbage
 * collected; together they have a size limit. Responses that wait for others count towards the caller's usage.
 */
export class BatchAnswers {
  readonly #server: EngineState;
  readonly #usage: CallerUsage | undefined;
  readonly #max: number;
  #room: number;
  #pendingLength = 0;
  /** True after a result did not fit: requests of the batch that have not started are not served. */
  isFull = false;

  constructor(server: EngineState, usage: CallerUsage | undefined) {
    this.#server = server;
    this.#usage = usage;
    this.#max = Math.min(server.settings.maxResult, maxResults);
    this.#room = this.#max;
  }

  /** Encodes a response, or an error instead of a result that does not fit. */
  encode(response: Response): EncodedResponse {
    const room = this.#room;
    const isTooLarge = 'result' in response && remainingLength(response.result, room) < 0;
    const error = isTooLarge ? this.#server.errorResponse(response.id, resultsTooLarge(this.#max)) : undefined;
    if (error !== undefined && room < this.#max) this.isFull = true;
    const json = encodeResponses(this.#server, error ?? response, room, () => resultsTooLarge(this.#max));
    this.#room = Math.max(room - json.length, 0);
    return { id: response.id ?? null, json };
  }

  /** Counts a response that waits for others. Returns an error instead if its caller is over its limit. */
  countPending(answer: EncodedResponse): EncodedResponse {
    const { length } = answer.json;
    if (length > shortAnswer && this.#usage?.overload('incoming', length) !== undefined) {
      return { id: answer.id, json: encode(this.#server.errorResponse(answer.id as RequestId, noRoomInBatch())) };
    }
    this.#usage?.take('incoming', length);
    this.#pendingLength += length;
    return answer;
  }

  /** All responses are complete: releases their usage. */
  release(): void {
    this.#usage?.release('incoming', this.#pendingLength);
    this.#pendingLength = 0;
  }
}

/** The error for a request that is not served because the response to its batch is full. */
export function batchFullError(): ProtocolError {
  const message =
    'The request was not served: the results before it leave no room in the answer to its batch. Send it again by itself';
  return retryLater(message, { retryAfterMs: retryMs, limit: 'caller' });
}

function resultsTooLarge(max: number): ResultTooLarge {
  return new ResultTooLarge('the request, with those before it in the batch,', max);
}

/** Without a retry hint: the request was served. */
function noRoomInBatch(): ProtocolError {
  return new ProtocolError(
    ErrorCode.InternalError,
    'The request was served, but there is no room to keep its result until the rest of its batch is served. ' +
      'Send requests with large results by themselves, or fewer at a time',
  );
}
