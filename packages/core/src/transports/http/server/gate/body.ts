import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import { isJson } from './accept.ts';
import type { BodyProblem, HttpRequest } from '../bindings/binding.ts';
import { type Refusal, tooMuch } from '../answer/refusal.ts';

const wrongType: Refusal = {
  status: 415,
  message: 'Content-Type must be application/json, in UTF-8, not compressed',
};

/** What is wrong with how a posted body is written, as far as its headers say. */
export function contentProblem(http: HttpRequest): Refusal | undefined {
  const encoding = http.header('content-encoding');
  const plain = encoding === undefined || encoding.toLowerCase() === 'identity';
  return plain && isJson(http.header('content-type')) ? undefined : wrongType;
}

/** The refusal of a body that could not be read. */
export function bodyProblem(body: BodyProblem, maxBody: number): Refusal {
  switch (body.problem) {
    case 'too-large':
      return { status: 413, message: `The body is longer than ${maxBody} bytes` };
    case 'no-room':
      return tooMuch(body.full, 'incoming');
    case 'cut-off':
      return { status: 400, message: 'The body was cut off' };
    case 'not-utf8':
      return { status: 400, message: 'Parse error: the body is not valid UTF-8', code: ErrorCode.ParseError, id: null };
  }
}
