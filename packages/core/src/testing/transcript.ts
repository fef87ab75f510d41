import type { Message } from '../jsonrpc/message.ts';
import { truncate } from '../jsonrpc/text.ts';
import type { Sender } from '../transports/tap-transport.ts';

/** A recorded message. */
export interface Line {
  sender: Sender;
  message: Message;
}

const maxShown = 30;
const maxLength = 400;

/** The messages between a client and a server, for analysing a failed test. */
export class Transcript {
  readonly #lines: Line[] = [];

  get lines(): readonly Line[] {
    return this.#lines;
  }

  add(sender: Sender, message: Message): void {
    this.#lines.push({ sender, message });
  }

  /** The last messages, one per line. */
  toString(): string {
    const left = this.#lines.length - maxShown;
    const shown = this.#lines.slice(-maxShown).map(({ sender, message }) => {
      const text = truncate(JSON.stringify(message), maxLength);
      return `  ${sender} ${sender === 'client' ? '-->' : '<--'} ${text}`;
    });
    return [...(left > 0 ? [`  (${left} messages before)`] : []), ...shown].join('\n');
  }
}

/** A failed assertion, with the transcript. */
export class TestFailure extends Error {
  override name = 'TestFailure';

  constructor(
    readonly reason: string,
    readonly transcript: Transcript | undefined,
    options?: ErrorOptions,
  ) {
    super(transcript === undefined ? reason : `${reason}\n\nThe messages:\n${transcript.toString()}`, options);
  }
}

const transcripts = new WeakMap<object, Transcript>();

/** Attaches the transcript to a result. */
export function attachTranscript(result: unknown, transcript: Transcript): void {
  if (typeof result === 'object' && result !== null) transcripts.set(result, transcript);
}

/** The transcript of a result. */
export function transcriptOf(result: object): Transcript | undefined {
  return transcripts.get(result);
}
