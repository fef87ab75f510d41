import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { AbortSignalLike } from '../../../client/abort-signals.ts';
import type { Message, Request, Response } from '../../../jsonrpc/message.ts';
import { followStream, type Resume } from './wire/event-stream.ts';
import { parseMessages } from './wire/parse-response.ts';
import { type HttpResponse, mediaType } from './wire/response.ts';
import { displayUrl, toConnectionError } from './wire/sender.ts';

/** The context for reading the response to a request. */
export interface ResponseContext {
  readonly request: Request;
  readonly url: URL;
  readonly maxMessage: number;
  /** Aborts the reading. */
  readonly controller: { readonly signal: AbortSignalLike; abort(): void };
  /** Resumes a broken stream. Absent: it can't be resumed. */
  readonly resume: Resume | undefined;
  /** Called with the answer. */
  onAnswer(answer: Response): void;
  /** Called with every other message. */
  onMessage(message: Message): void;
  warn(text: string): void;
}

/** After the answer most streams end by themselves, and their connection can be reused. */
const lingerMs = 1000;

/** Reads the answer to a request from its response: one message, or a stream. */
export function readResponse(response: HttpResponse, context: ResponseContext): Promise<void> {
  const type = mediaType(response);
  if (type === 'application/json') return readJson(response, context);
  if (type === 'text/event-stream') return readStream(response, context);
  response.discard();
  const { status } = response;
  return Promise.reject(new HttpError(status, `The server answered ${status} with "${type}" instead of a message`));
}

function readJson(response: HttpResponse, context: ResponseContext): Promise<void> {
  const { maxMessage, url } = context;
  return response.text(maxMessage).then(
    (text) => {
      if (text === undefined) throw new ConnectionError(`The answer is longer than ${maxMessage} bytes`);
      return dispatchText(text, context) ? undefined : assertAnswered(context);
    },
    (error: unknown) => Promise.reject(toConnectionError(url, error)),
  );
}

/** Throws if there was no answer, unless the request was aborted. */
function assertAnswered({ url, controller }: ResponseContext): void {
  if (controller.signal.aborted) return;
  throw new ConnectionError(`There was no answer in the response of ${displayUrl(url)}`);
}

async function readStream(response: HttpResponse, context: ResponseContext): Promise<void> {
  const { controller, maxMessage, resume } = context;
  let answered = false;
  let lingerTimer: NodeJS.Timeout | undefined;
  await followStream(response, {
    signal: controller.signal,
    maxMessage,
    onData(data) {
      if (dispatchText(data, context)) answered = true;
      if (answered) lingerTimer ??= setTimeout(() => controller.abort(), lingerMs);
    },
    isDone: () => answered,
    ...(resume !== undefined && { resume }),
  }).finally(() => clearTimeout(lingerTimer));
  if (!answered) assertAnswered(context);
}

/** Dispatches the messages in a text. True if the answer was among them. */
function dispatchText(text: string, { request, onAnswer, onMessage, warn }: ResponseContext): boolean {
  let found = false;
  for (const classified of parseMessages(text)) {
    if (classified.kind === 'invalid') {
      warn(`The server sent an invalid message: ${classified.answer.error.message}`);
    } else if (classified.kind === 'response' && classified.message.id === request.id) {
      found = true;
      onAnswer(classified.message);
    } else {
      onMessage(classified.message);
    }
  }
  return found;
}
