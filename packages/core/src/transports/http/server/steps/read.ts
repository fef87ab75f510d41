import { ErrorCode } from '../../../../jsonrpc/errors.ts';
import { overQuota, reject, type Rejection } from '../answer/reject.ts';
import type { BodyProblem, HttpRequest } from '../bindings/binding.ts';
import { reschedule } from './schedule.ts';
import type { Step } from './step.ts';

/** Reads the body of a POST. */
export const read: Step = (next) => (context) => {
  const { http, accepts, endpoint } = context;
  const problem = contentProblem(http);
  if (problem !== undefined) return reject(context, problem);
  if (!accepts.json && !accepts.events) {
    return reject(context, { status: 406, message: 'Accept must allow application/json or text/event-stream' });
  }
  const body = http.body(endpoint.maxBody, context.usage);
  if (!(body instanceof Promise)) {
    context.body = body;
    return next(context);
  }
  return body.then((late) => {
    context.body = late;
    return reschedule(context, next, 'text' in late ? late.text.length : 0);
  });
};

const wrongType: Rejection = {
  status: 415,
  message: 'Content-Type must be application/json, in UTF-8, not compressed',
};

/** The rejection of a body whose headers say that it is not plain JSON. */
export function contentProblem(http: HttpRequest): Rejection | undefined {
  const encoding = http.header('content-encoding');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return wrongType;
  const type = http.header('content-type');
  return type === 'application/json' || isJson(type) ? undefined : wrongType;
}

/** True for JSON in UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json') return false;
  return parameters.every(
    (parameter) => !parameter.startsWith('charset') || /^charset=("utf-?8"|utf-?8)$/.test(parameter),
  );
}

/** The rejection of a body that could not be read. */
export function bodyProblem(body: BodyProblem, maxBody: number): Rejection {
  switch (body.problem) {
    case 'too-large':
      return { status: 413, message: `The body is longer than ${maxBody} bytes` };
    case 'no-room':
      return overQuota(body.full, 'incoming');
    case 'cut-off':
      return { status: 400, message: 'The body was cut off' };
    case 'not-utf8':
      return { status: 400, message: 'Parse error: the body is not valid UTF-8', code: ErrorCode.ParseError, id: null };
  }
}
