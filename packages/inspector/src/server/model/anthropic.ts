import type { ModelUsage } from '../../shared/models.ts';
import {
  asked,
  type AskedMessage,
  isPiece,
  kindOf,
  malformed,
  notTaken,
  type Piece,
  textIn,
} from './parse-question.ts';
import { draftOf } from './content.ts';
import { plainResult } from './content.ts';
import type { ModelAnswer, ModelWish, ToolNames, Translation } from './adapter.ts';

/** The version of the interface that requests are written for. */
const version = '2023-06-01';

const pictures = /^image\/(?:png|jpeg|gif|webp)$/;
const choices = { auto: 'auto', required: 'any', none: 'none' } as const;
const reasons: Readonly<Record<string, string>> = {
  end_turn: 'endTurn',
  stop_sequence: 'stopSequence',
  max_tokens: 'maxTokens',
  tool_use: 'toolUse',
};

/** The messages interface of Anthropic. */
export const anthropic: Translation = {
  headers: (key) => ({ 'anthropic-version': version, ...(key !== undefined && { 'x-api-key': key }) }),
  request({ params, model, maxTokens }, names) {
    const { messages, system, temperature, stop, tools, toolChoice } = asked(params);
    return {
      model,
      max_tokens: maxTokens,
      ...(system !== undefined && { system }),
      ...(temperature !== undefined && { temperature }),
      ...(stop !== undefined && { stop_sequences: stop }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name: names.given(name),
          ...(description !== undefined && { description }),
          input_schema: { ...inputSchema, type: 'object' },
        })),
        ...(toolChoice !== undefined && { tool_choice: { type: choices[toolChoice] } }),
      }),
      messages: messages.map((message) => written(message, names)),
    };
  },
  answer(body, wish, names) {
    if (!isPiece(body) || !Array.isArray(body.content)) return undefined;
    return read(body, body.content.filter(isPiece), wish, names);
  },
};

function written({ role, pieces }: AskedMessage, names: ToolNames): Piece {
  return { role, content: pieces.map((piece) => writtenPiece(piece, names)) };
}

function writtenPiece(piece: Piece, names: ToolNames): Piece {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: textIn(piece, 'text') };
    case 'image':
      return picture(textIn(piece, 'mimeType'), textIn(piece, 'data'));
    case 'audio':
      throw notTaken('The messages interface of Anthropic takes no sound');
    case 'tool_use':
      if (!isPiece(piece.input)) throw malformed('"input" of a tool use is no object');
      return {
        type: 'tool_use',
        id: textIn(piece, 'id'),
        name: names.given(textIn(piece, 'name')),
        input: piece.input,
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: textIn(piece, 'toolUseId'),
        content: resultPieces(piece),
        ...(piece.isError === true && { is_error: true }),
      };
    default:
      throw malformed(`${kindOf(piece)} is no content of a message`);
  }
}

function resultPieces(result: Piece): readonly Piece[] {
  return plainResult(result).map((part) =>
    part.is === 'text' ? { type: 'text', text: part.text } : picture(part.mimeType, part.data),
  );
}

function picture(mimeType: string, data: string): Piece {
  if (!pictures.test(mimeType)) {
    throw notTaken(`Anthropic takes PNG, JPEG, GIF and WebP, and no ${mimeType.slice(0, 60)}`);
  }
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
}

function read(body: Piece, pieces: readonly Piece[], { model }: ModelWish, names: ToolNames): ModelAnswer {
  const text = pieces
    .filter(({ type }) => type === 'text')
    .map(({ text: words }) => (typeof words === 'string' ? words : ''))
    .join('');
  const uses = pieces
    .filter(({ type, id, name }) => type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    .map(({ id, name, input }) => ({ id: id as string, name: names.back(name as string), input }));
  const reason = typeof body.stop_reason === 'string' ? body.stop_reason : 'end_turn';
  return {
    draft: draftOf({
      model: typeof body.model === 'string' ? body.model : model,
      text,
      uses,
      stopReason: Object.hasOwn(reasons, reason) ? (reasons[reason] as string) : reason,
    }),
    usage: usageOf(body.usage),
  };
}

function usageOf(usage: unknown): ModelUsage | undefined {
  if (!isPiece(usage)) return undefined;
  const { input_tokens: input, output_tokens: output } = usage;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined;
}
