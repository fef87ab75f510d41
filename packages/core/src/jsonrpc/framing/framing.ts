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
  /** Called with the end of a message that was too long, if it came after the error. */
  onSkipped?: (end: string) => void;
}

/** A message that could not be decoded. Later messages are not affected. */
export interface Unreadable {
  readonly problem: 'oversize' | 'encoding' | 'header';
  readonly message: string;
  /** The start of an oversized message, and its end if that was received. */
  readonly start?: string;
  readonly end?: string;
}

/** The number of bytes that are kept of the start and of the end of an oversized message: enough for an id. */
export const keptBytes = 128;

/** The error for a message longer than the limit. */
export function oversize(maxMessage: number, start?: Buffer): Unreadable {
  const message = `the message is longer than ${maxMessage} bytes`;
  return { problem: 'oversize', message, ...(start && { start: start.toString('latin1', 0, keptBytes) }) };
}
