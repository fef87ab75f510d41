/** How messages are told apart on a byte stream, in both directions. It does no I/O and never throws. */
export interface Framing {
  /** Takes bytes as they arrived, cut anywhere. Cheapest when `next` has given everything there was before. */
  push(chunk: Buffer): void;
  /** Says that no more bytes will come: what is left can be served now. */
  end(): void;
  /** Gives the text of the next message, or what is wrong with it, or undefined until more bytes come. */
  next(): string | Unreadable | undefined;
  /** Wraps the text of one message for sending. */
  frame(text: string): string;
}

/** A message that could not be read. The ones after it can. */
export interface Unreadable {
  readonly problem: 'oversize' | 'encoding' | 'header';
  readonly message: string;
}

/** The problem of a message that is longer than this side is willing to hold. */
export function oversize(maxMessage: number): Unreadable {
  return { problem: 'oversize', message: `the message is longer than ${maxMessage} bytes` };
}
