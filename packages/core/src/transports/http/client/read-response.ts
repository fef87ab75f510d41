import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { StopSignal } from '../../../client/abort-signals.ts';
import type { Message, Request, Response } from '../../../jsonrpc/message.ts';
import { followStream, type Resume } from './wire/event-stream.ts';
import { messagesIn } from './wire/parse-response.ts';
import { type HttpResponse, mediaType } from './wire/response.ts';
import { shown, unreachable } from './wire/sender.ts';

/** What is done with the response to a request. */
export interface AnswerTaking {
  readonly request: Request;
  readonly url: URL;
  readonly maxMessage: number;
  /** Ends the reading. */
  readonly controller: { readonly signal: StopSignal; abort(): void };
  /** How a stream that broke off is taken up again. Absent: not at all. */
  readonly resume: Resume | undefined;
  /** Takes the answer. */
  answered(answer: Response): void;
  /** Takes what else the server says meanwhile. */
  receive(message: Message): void;
  warn(text: string): void;
}

/** After the answer a stream ends by itself, and its connection can be used again; but not all do. */
const lingerMs = 1000;

/** Takes the answer to a request from its response, whether that is one message or a stream of them. */
export function takeAnswer(response: HttpResponse, taking: AnswerTaking): Promise<void> {
  const type = mediaType(response);
  if (type === 'application/json') return takeJson(response, taking);
  if (type === 'text/event-stream') return takeStream(response, taking);
  response.discard();
  const { status } = response;
  return Promise.reject(new HttpError(status, `The server answered ${status} with "${type}" instead of a message`));
}

function takeJson(response: HttpResponse, taking: AnswerTaking): Promise<void> {
  const { maxMessage, url } = taking;
  return response.text(maxMessage).then(
    (text) => {
      if (text === undefined) throw new ConnectionError(`The answer is longer than ${maxMessage} bytes`);
      return takeText(text, taking) ? undefined : missed(taking);
    },
    (error: unknown) => Promise.reject(unreachable(url, error)),
  );
}

/** No answer was there. Where nobody waits for it, that is nothing to speak of. */
function missed({ url, controller }: AnswerTaking): void {
  if (controller.signal.aborted) return;
  throw new ConnectionError(`No answer came with the response of ${shown(url)}`);
}

async function takeStream(response: HttpResponse, taking: AnswerTaking): Promise<void> {
  const { controller, maxMessage, resume } = taking;
  let answered = false;
  let linger: NodeJS.Timeout | undefined;
  await followStream(response, {
    signal: controller.signal,
    maxMessage,
    take(data) {
      if (takeText(data, taking)) answered = true;
      if (answered) linger ??= setTimeout(() => controller.abort(), lingerMs);
    },
    isDone: () => answered,
    ...(resume !== undefined && { resume }),
  }).finally(() => clearTimeout(linger));
  if (!answered) missed(taking);
}

/** Hands on the messages in a text. Gives true where the answer was among them. */
function takeText(text: string, { request, answered, receive, warn }: AnswerTaking): boolean {
  let found = false;
  for (const classified of messagesIn(text)) {
    if (classified.kind === 'invalid') {
      warn(`The server sent no message: ${classified.answer.error.message}`);
    } else if (classified.kind === 'response' && classified.message.id === request.id) {
      found = true;
      answered(classified.message);
    } else {
      receive(classified.message);
    }
  }
  return found;
}
