import { encode, type RequestId, type Response } from '../../jsonrpc/message.ts';
import type { EngineState } from '../engine-state.ts';
import { ResultTooLarge } from './result-size.ts';
import { encodeTextResult } from './fast-encode.ts';

/** An answer that was written as JSON as soon as it was there. */
export interface EncodedResponse {
  readonly id: RequestId | null;
  readonly json: string;
}

/** The response to a message: none, one, or those of a batch. */
export type Responses = Response | EncodedResponse[] | undefined;

/** An error up to this length is sent even where there is no room for results. */
const SHORT_ERROR = 16 * 1024;

/**
 * Writes an answer as JSON. A result that can't be written, or is too long, is the author's mistake, and the client still
 * gets an answer.
 */
export function encodeResponses(
  server: EngineState,
  reply: Response | EncodedResponse[],
  /** In characters. */
  room: number = server.settings.maxResult,
  tooLarge = (): ResultTooLarge => new ResultTooLarge('the request', server.settings.maxResult),
): string {
  if (Array.isArray(reply)) return joinArray(reply);
  try {
    const text =
      ('result' in reply ? encodeTextResult(reply.id, reply.result, server.meta) : undefined) ?? encode(reply);
    if (text.length <= room || (text.length <= SHORT_ERROR && !('result' in reply))) return text;
    throw tooLarge();
  } catch (error) {
    return encode(server.errorResponse(reply.id as RequestId, error));
  }
}

/** In one piece: each further form of a long text takes as much memory again. */
function joinArray(responses: EncodedResponse[]): string {
  const pieces: string[] = [];
  for (const { json } of responses) pieces.push(pieces.length === 0 ? '[' : ',', json);
  pieces.push(']');
  return pieces.join('');
}
