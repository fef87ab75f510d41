import { ErrorCode } from '../../../jsonrpc/errors.ts';
import type { ErrorResponse, RequestId } from '../../../jsonrpc/message.ts';
import type { Unreadable } from '../../../jsonrpc/framing/framing.ts';

const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const id = String.raw`"id"\s*:\s*(\d{1,15})`;
const content = '"(?:result|error)"';
/** An answer whose id comes first, and one whose id comes last. */
const idFirst = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}\\s*,\\s*(?:${version}\\s*,\\s*)?${content}`);
const contentFirst = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${content}`);
const idLast = new RegExp(`${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`);

/** Finds which request an answer is for that is too long to be read, so that the request fails at once. */
export class OversizeAnswers {
  readonly #maxMessage: number;
  readonly #onAnswer: (answer: ErrorResponse) => void;
  /** True until the end of the message comes, with its id. */
  #isAwaitingEnd = false;

  constructor(maxMessage: number, onAnswer: (answer: ErrorResponse) => void) {
    this.#maxMessage = maxMessage;
    this.#onAnswer = onAnswer;
  }

  onStart({ start = '', end }: Unreadable): void {
    const found = idFirst.exec(start)?.[1];
    if (found !== undefined) return this.#fail(Number(found));
    this.#isAwaitingEnd = contentFirst.test(start);
    if (end !== undefined) this.onEnd(end);
  }

  onEnd(end: string): void {
    const found = this.#isAwaitingEnd ? idLast.exec(end)?.[1] : undefined;
    this.#isAwaitingEnd = false;
    if (found !== undefined) this.#fail(Number(found));
  }

  #fail(requestId: RequestId): void {
    const message = `The answer is longer than ${this.#maxMessage} bytes: allow more with "maxMessage" of the transport, or ask for less`;
    this.#onAnswer({ jsonrpc: '2.0', id: requestId, error: { code: ErrorCode.InternalError, message } });
  }
}
