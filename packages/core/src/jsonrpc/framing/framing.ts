/** Splits a byte stream into messages, and frames messages for sending. Does no I/O and never throws. */
export interface Framing {
  /** Adds received bytes, split anywhere. Cheapest after `next` has returned every complete message. */
  push(chunk: Buffer): void;
  /** Marks the end of input, so that the last message can be returned without a terminator. */
  end(): void;
  /** Returns the next message, its framing error, or undefined until more bytes arrive. */
  next(): string | Unreadable | undefined;
  /** Wraps the text of one message for sending. */
  frame(text: string): string;
}

/** A message that could not be decoded. Later messages are not affected. */
export interface Unreadable {
  readonly problem: 'oversize' | 'encoding' | 'header';
  readonly message: string;
}

/** The error for a message longer than the limit. */
export function oversize(maxMessage: number): Unreadable {
  return { problem: 'oversize', message: `the message is longer than ${maxMessage} bytes` };
}
