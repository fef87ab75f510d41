import { RequestError } from '../targets.ts';
import type { SampleParams } from './adapter.ts';

/** A content block of any type. */
export type ContentBlock = Readonly<Record<string, unknown>>;

/** A message with its content as a list. */
export interface ParsedMessage {
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly ContentBlock[];
}

/** A tool of a sampling request. */
export interface ParsedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: ContentBlock;
}

/** A validated sampling request. */
export interface ParsedQuestion {
  readonly messages: readonly ParsedMessage[];
  readonly system: string | undefined;
  readonly temperature: number | undefined;
  readonly stop: readonly string[] | undefined;
  readonly tools: readonly ParsedTool[];
  readonly toolChoice: 'auto' | 'required' | 'none' | undefined;
}

/** Validates a sampling request from an untrusted server. */
export function parseQuestion(params: SampleParams): ParsedQuestion {
  const { messages, systemPrompt, temperature, stopSequences, tools, toolChoice } = params;
  if (!Array.isArray(messages) || messages.length === 0) throw malformedError('"messages" is no list with messages');
  return {
    messages: messages.map((message: unknown, at) => parseMessage(message, at)),
    system: typeof systemPrompt === 'string' && systemPrompt !== '' ? systemPrompt : undefined,
    temperature: typeof temperature === 'number' ? temperature : undefined,
    stop: parseTexts(stopSequences),
    tools: tools === undefined ? [] : requireList(tools, '"tools"').map(parseTool),
    toolChoice: parseToolChoice(toolChoice),
  };
}

/** Whether a value is a plain object. */
export function isRecord(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Requires a list. */
export function requireList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformedError(`${what} is no list`);
  return value;
}

/** Requires a string. */
export function requireText(block: ContentBlock, name: string): string {
  const value = block[name];
  if (typeof value !== 'string') throw malformedError(`"${name}" of ${describeType(block)} is no text`);
  return value;
}

/** Type of a block, for messages. */
export function describeType(block: ContentBlock): string {
  return typeof block.type === 'string' ? `"${block.type.slice(0, 40)}"` : 'a content without "type"';
}

/** Error: the request violates the protocol. */
export function malformedError(what: string): RequestError {
  return new RequestError(
    `The server's request violates the protocol: ${what}`,
    'No model can answer this. Answer by hand, or refuse.',
  );
}

/** Error: the service does not support the content. */
export function unsupportedError(what: string): RequestError {
  return new RequestError(what, 'Answer by hand, or set up a model of another service.');
}

function parseMessage(message: unknown, at: number): ParsedMessage {
  if (!isRecord(message)) throw malformedError(`messages[${at}] is no object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') throw malformedError(`messages[${at}] has no role`);
  const blocks = Array.isArray(content) ? content : [content];
  if (!blocks.every(isRecord)) throw malformedError(`messages[${at}] has no content`);
  return { role, pieces: blocks };
}

function parseTool(tool: unknown): ParsedTool {
  if (!isRecord(tool)) throw malformedError('one of "tools" is no object');
  const { name, description, inputSchema } = tool;
  if (typeof name !== 'string') throw malformedError('one of "tools" has no name');
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: isRecord(inputSchema) ? inputSchema : { type: 'object' },
  };
}

function parseToolChoice(value: unknown): ParsedQuestion['toolChoice'] {
  const mode = isRecord(value) ? value.mode : undefined;
  return mode === 'auto' || mode === 'required' || mode === 'none' ? mode : undefined;
}

function parseTexts(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
  return texts.length === 0 ? undefined : (texts as string[]);
}
