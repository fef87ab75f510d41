import { ConnectionError, HttpError } from '../../../client/errors.ts';
import type { StopSignal } from '../../../client/stopper.ts';
import type { Message, Request, Response } from '../../../jsonrpc/message.ts';
import { followStream, type Resume } from './wire/event-stream.ts';
import { messagesIn } from './wire/read-answer.ts';
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
export async function takeAnswer(response: HttpResponse, taking: AnswerTaking): Promise<void> {
  const { url, controller } = taking;
  const type = mediaType(response);
  let answered: boolean;
  if (type === 'application/json') {
    answered = await takeJson(response, taking);
  } else if (type === 'text/event-stream') {
    answered = await takeStream(response, taking);
  } else {
    response.discard();
    const { status } = response;
    throw new HttpError(status, `The server answered ${status} with "${type}" instead of a message`);
  }
  if (!answered && !controller.signal.aborted) {
    throw new ConnectionError(`No answer came with the response of ${shown(url)}`);
  }
}

async function takeJson(response: HttpResponse, taking: AnswerTaking): Promise<boolean> {
  const { maxMessage, url } = taking;
  const text = await response.text(maxMessage).catch((error: unknown) => Promise.reject(unreachable(url, error)));
  if (text === undefined) throw new ConnectionError(`The answer is longer than ${maxMessage} bytes`);
  return takeText(text, taking);
}

async function takeStream(response: HttpResponse, taking: AnswerTaking): Promise<boolean> {
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
  return answered;
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
