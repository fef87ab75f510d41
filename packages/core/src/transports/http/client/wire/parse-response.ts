import { HttpError } from '../../../../client/errors.ts';
import type { Receiver } from '../../../../client/transport.ts';
import { type Classified, type ErrorResponse } from '../../../../jsonrpc/message.ts';
import { parse } from '../../../../jsonrpc/parse.ts';
import type { HttpResponse } from './response.ts';

/** How much of an error body is shown, in characters. */
const maxShown = 200;
/** The maximum that is read of an error response, in bytes. */
const maxRead = 64 * 1024;

/** Parses the messages in a JSON body. */
export function parseMessages(text: string): Classified[] {
  const parsed = parse(text);
  return parsed.kind === 'batch' ? parsed.items : [parsed];
}

/** Delivers the messages in a text. Invalid ones become warnings. */
export function deliverMessages(text: string, receiver: Receiver): void {
  for (const classified of parseMessages(text)) {
    if (classified.kind === 'invalid')
      receiver.warn(`The server sent an invalid message: ${classified.answer.error.message}`);
    else receiver.receive(classified.message);
  }
}

/** Reads an error response: a JSON-RPC error, or only its status. */
export async function readErrorResponse(response: HttpResponse): Promise<ErrorResponse | HttpError> {
  const { status, statusText } = response;
  const text = (await response.text(maxRead).catch(() => undefined)) ?? '';
  const body = text.trim().slice(0, maxShown);
  const details = { challenge: response.header('www-authenticate'), said: body === '' ? undefined : body };
  if (status === 401) {
    const message = 'The server wants credentials (401): give the transport "auth" or "headers"';
    return new HttpError(status, message, details);
  }
  const parsed = status >= 400 && status < 500 && status !== 403 ? parse(text) : undefined;
  if (parsed?.kind === 'response' && 'error' in parsed.message) return parsed.message;
  const message = [`The server answered ${status}`, statusText].filter((word) => word !== '').join(' ');
  return new HttpError(status, body === '' ? message : `${message}: ${body}`, details);
}

/** An error response as an exception, where no request can be answered with it. */
export function toHttpError({ status }: HttpResponse, response: ErrorResponse | HttpError): HttpError {
  return response instanceof HttpError ? response : new HttpError(status, response.error.message);
}
