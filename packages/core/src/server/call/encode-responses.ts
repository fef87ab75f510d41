import { encode, type RequestId, type Response } from '../../jsonrpc/message.ts';
import type { EngineState } from '../engine-state.ts';
import { ResultTooLarge } from './result-size.ts';
import { encodeTextResult } from './fast-encode.ts';

/** A response that was encoded as soon as it was complete. */
export interface EncodedResponse {
  readonly id: RequestId | null;
  readonly json: string;
}

/** The response to a message: none, one, or those of a batch. */
export type Responses = Response | EncodedResponse[] | undefined;

/** Errors up to this length are sent even if the limit of results is reached. */
const SHORT_ERROR = 16 * 1024;

/**
 * Encodes a response as JSON. A result that can't be serialized, or is too long, is an error of the author, and the
 * client gets an error response.
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

/** In one piece: each copy of a long text takes as much memory again. */
function joinArray(responses: EncodedResponse[]): string {
  const pieces: string[] = [];
  for (const { json } of responses) pieces.push(pieces.length === 0 ? '[' : ',', json);
  pieces.push(']');
  return pieces.join('');
}
