import { Refusal } from '../targets.ts';
import type { SampleParams } from './adapter.ts';

/** A piece of a message or of what a tool gave, of any kind. */
export type Piece = Readonly<Record<string, unknown>>;

/** A message of a question, with its content as a list. */
export interface AskedMessage {
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly Piece[];
}

/** A tool that a model may want to use. */
export interface AskedTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly inputSchema: Piece;
}

/** A question of a server that was looked at: what a stranger wrote has the form that the protocol wants. */
export interface Asked {
  readonly messages: readonly AskedMessage[];
  readonly system: string | undefined;
  readonly temperature: number | undefined;
  readonly stop: readonly string[] | undefined;
  readonly tools: readonly AskedTool[];
  readonly toolChoice: 'auto' | 'required' | 'none' | undefined;
}

/** Looks at a question before a model is asked. */
export function asked(params: SampleParams): Asked {
  const { messages, systemPrompt, temperature, stopSequences, tools, toolChoice } = params;
  if (!Array.isArray(messages) || messages.length === 0) throw malformed('"messages" is no list with messages');
  return {
    messages: messages.map((message: unknown, at) => askedMessage(message, at)),
    system: typeof systemPrompt === 'string' && systemPrompt !== '' ? systemPrompt : undefined,
    temperature: typeof temperature === 'number' ? temperature : undefined,
    stop: textsOf(stopSequences),
    tools: tools === undefined ? [] : listOf(tools, '"tools"').map(askedTool),
    toolChoice: choiceOf(toolChoice),
  };
}

/** Whether a value is an object with names. */
export function isPiece(value: unknown): value is Piece {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whatever is in a list that a stranger wrote. */
export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(`${what} is no list`);
  return value;
}

/** A text that a stranger wrote. */
export function textIn(piece: Piece, name: string): string {
  const value = piece[name];
  if (typeof value !== 'string') throw malformed(`"${name}" of ${kindOf(piece)} is no text`);
  return value;
}

/** The kind of a piece, as it may be said. */
export function kindOf(piece: Piece): string {
  return typeof piece.type === 'string' ? `"${piece.type.slice(0, 40)}"` : 'a content without "type"';
}

/** Why a model is not asked: the question is not as the protocol wants it. */
export function malformed(what: string): Refusal {
  return new Refusal(
    `The server did not ask as the protocol wants it: ${what}`,
    'A model can not be asked this. Answer by hand, or refuse.',
  );
}

/** Why a model is not asked: its service does not take what the question has. */
export function notTaken(what: string): Refusal {
  return new Refusal(what, 'Answer by hand, or set up a model of another service.');
}

function askedMessage(message: unknown, at: number): AskedMessage {
  if (!isPiece(message)) throw malformed(`messages[${at}] is no object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant') throw malformed(`messages[${at}] has no role`);
  const pieces = Array.isArray(content) ? content : [content];
  if (!pieces.every(isPiece)) throw malformed(`messages[${at}] has no content`);
  return { role, pieces };
}

function askedTool(tool: unknown): AskedTool {
  if (!isPiece(tool)) throw malformed('one of "tools" is no object');
  const { name, description, inputSchema } = tool;
  if (typeof name !== 'string') throw malformed('one of "tools" has no name');
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    inputSchema: isPiece(inputSchema) ? inputSchema : { type: 'object' },
  };
}

function choiceOf(value: unknown): Asked['toolChoice'] {
  const mode = isPiece(value) ? value.mode : undefined;
  return mode === 'auto' || mode === 'required' || mode === 'none' ? mode : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((each) => typeof each === 'string' && each !== '') : [];
  return texts.length === 0 ? undefined : (texts as string[]);
}
