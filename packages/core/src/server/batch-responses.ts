import { ErrorCode, ProtocolError } from '../jsonrpc/errors.ts';
import { encode, type RequestId, type Response } from '../jsonrpc/message.ts';
import { limits } from '../limits.ts';
import { type EncodedResponse, encodeResponse } from './call/encode-responses.ts';
import type { Engine } from './engine.ts';
import { later } from './quotas/overload.ts';
import { ResultTooLarge, roomAfter } from './call/result-size.ts';
import type { Usage } from './quotas/quota.ts';

const maxResults = limits.server.batchResults.value;
const shortAnswer = limits.http.shortRequest.value;

/**
 * The answers of a batch until all are there. Each is written as soon as it is there, so that its result can be collected;
 * together they have a limit of their own. Those that wait for others of their batch count as what their caller has in work.
 */
export class BatchAnswers {
  readonly #server: Engine;
  readonly #usage: Usage | undefined;
  readonly #max: number;
  #room: number;
  #held = 0;
  /** True once a result did not fit: what was not begun before is not worth serving. */
  isFull = false;

  constructor(server: Engine, usage: Usage | undefined) {
    this.#server = server;
    this.#usage = usage;
    this.#max = Math.min(server.maxResult, maxResults);
    this.#room = this.#max;
  }

  /** Writes an answer; an error in place of a result that does not fit, which is not written first. */
  encode(response: Response): EncodedResponse {
    const room = this.#room;
    const isTooLarge = 'result' in response && roomAfter(response.result, room) < 0;
    const error = isTooLarge ? this.#server.refusal(response.id, resultsTooLarge(this.#max)) : undefined;
    if (error !== undefined && room < this.#max) this.isFull = true;
    const json = encodeResponse(this.#server, error ?? response, room, () => resultsTooLarge(this.#max));
    this.#room = Math.max(room - json.length, 0);
    return { id: response.id ?? null, json };
  }

  /** Counts an answer that has to wait for others. Gives an error in its place where its caller holds too much already. */
  hold(answer: EncodedResponse): EncodedResponse {
    const { length } = answer.json;
    const full = length > shortAnswer ? this.#usage?.full('incoming', length) : undefined;
    if (full !== undefined) {
      full.refused('incoming', full.scope);
      return { id: answer.id, json: encode(this.#server.refusal(answer.id as RequestId, noRoomInBatch())) };
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
  return later(message, { retryAfterMs: limits.server.retryMs.value, limit: 'caller' });
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
