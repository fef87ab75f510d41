import type { Message } from '../jsonrpc/message.ts';
import type { Sender } from '../transports/recording-transport.ts';

/** One message as it was when it was sent. */
export interface Line {
  sender: Sender;
  message: Message;
}

const mostShown = 30;
const longestShown = 400;

/** Everything a client and a server have said to each other, for a person who wants to know why a test failed. */
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
    const left = this.#lines.length - mostShown;
    const shown = this.#lines.slice(-mostShown).map(({ sender, message }) => {
      const text = JSON.stringify(message);
      const cut = text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
      return `  ${sender} ${sender === 'client' ? '-->' : '<--'} ${cut}`;
    });
    return [...(left > 0 ? [`  (${left} messages before)`] : []), ...shown].join('\n');
  }
}

/** A test that failed, with what was said before. */
export class TestFailure extends Error {
  override name = 'TestFailure';

  constructor(
    readonly reason: string,
    readonly transcript: Transcript | undefined,
    options?: ErrorOptions,
  ) {
    super(transcript === undefined ? reason : `${reason}\n\nWhat was said:\n${transcript.toString()}`, options);
  }
}

const transcripts = new WeakMap<object, Transcript>();

/** Remembers in which conversation a result was given. */
export function remember(result: unknown, transcript: Transcript): void {
  if (typeof result === 'object' && result !== null) transcripts.set(result, transcript);
}

/** The conversation that a result comes from. */
export function transcriptOf(result: object): Transcript | undefined {
  return transcripts.get(result);
}
