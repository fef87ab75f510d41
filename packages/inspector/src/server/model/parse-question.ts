import { isRecord } from '../../shared/json.ts';
import type { ModelDraft, ModelUsage } from '../../shared/questions.ts';
import { RequestError } from '../targets.ts';
import type { SampleParams } from './adapter.ts';

/** A content block of any type. */
export type ContentBlock = Readonly<Record<string, unknown>>;

/** A message with its content as a list. */
export interface ParsedMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly ContentBlock[];
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

/** Requires a list. */
function requireList(value: unknown, what: string): readonly unknown[] {
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
  return { role, blocks };
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

/** Part of a tool result. */
type ToolResultPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'picture'; readonly mimeType: string; readonly data: string };

/** Converts a tool result to texts and images; structured content stands in for missing content. */
export function parseToolResult(result: ContentBlock): readonly ToolResultPart[] {
  const { content = [], structuredContent } = result;
  const parts = requireList(content, '"content" of a tool result').map((each) => parsePart(each));
  if (parts.length > 0 || structuredContent === undefined) return parts;
  return [{ is: 'text', text: JSON.stringify(structuredContent) }];
}

function parsePart(block: unknown): ToolResultPart {
  if (!isRecord(block)) throw unsupportedError('A tool result has a content that is none');
  switch (block.type) {
    case 'text':
      return { is: 'text', text: requireText(block, 'text') };
    case 'image':
      return { is: 'picture', mimeType: requireText(block, 'mimeType'), data: requireText(block, 'data') };
    case 'resource_link':
      return { is: 'text', text: JSON.stringify(block) };
    case 'resource':
      if (isRecord(block.resource) && typeof block.resource.text === 'string')
        return { is: 'text', text: block.resource.text };
      throw unsupportedError('A tool result has a resource that is no text');
    default:
      throw unsupportedError(`No model takes ${describeType(block)} as what a tool gave`);
  }
}

/** Output of a model, independent of the service. */
interface ModelOutput {
  readonly model: string;
  readonly text: string;
  readonly uses: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly stopReason: string;
}

/** Converts output to a sampling result: a single block if possible, as older revisions have no lists. */
export function toDraft({ model, text, uses, stopReason }: ModelOutput): ModelDraft {
  const content = [
    ...(text !== '' || uses.length === 0 ? [{ type: 'text', text }] : []),
    ...uses.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: isRecord(input) ? input : {} })),
  ];
  const [only] = content;
  return {
    role: 'assistant',
    model,
    content: content.length === 1 && only !== undefined ? only : content,
    stopReason,
  };
}

/** The input of a tool use. */
export function requireInput({ input }: ContentBlock): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) throw malformedError('"input" of a tool use is no object');
  return input;
}

/** Token counts of an answer, by their names in the service. */
export function parseUsage(usage: unknown, inputName: string, outputName: string): ModelUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { [inputName]: input, [outputName]: output } = usage;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined;
}
