import { fastParseToolCall } from './fast-parse.ts';
import { type Parsed, parseMessage } from './message.ts';

/** Parses and classifies a text. Never throws. */
export function parse(text: string): Parsed {
  const request = fastParseToolCall(text);
  return request === undefined ? parseMessage(text) : { kind: 'request', message: request };
}
