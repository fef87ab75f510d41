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
import type { ToolNames, Translation } from './adapter.ts';

/** OpenAI itself calls the bound of tokens by a newer name, which most others do not know. */
const ownHost = 'api.openai.com';

const sounds: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};
const reasons: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  tool_calls: 'toolUse',
  function_call: 'toolUse',
};

/** The chat completions of OpenAI, which most other services and local models understand too. */
export const openai: Translation = {
  headers: (key) => (key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  request({ params, model, maxTokens, endpoint }, names) {
    const { messages, system, temperature, stop, tools, toolChoice } = asked(params);
    return {
      model,
      [new URL(endpoint).host === ownHost ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stop !== undefined && { stop }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: {
            name: names.given(name),
            ...(description !== undefined && { description }),
            parameters: { ...inputSchema, type: 'object' },
          },
        })),
        ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      }),
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...messages.flatMap((message) => written(message, names)),
      ],
    };
  },
  answer(body, wish, names) {
    const choice: unknown = isPiece(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
    if (!isPiece(body) || !isPiece(choice) || !isPiece(choice.message)) return undefined;
    const { content, refusal, tool_calls: calls } = choice.message;
    const reason = typeof choice.finish_reason === 'string' ? choice.finish_reason : 'stop';
    const uses = Array.isArray(calls) ? calls.filter(isPiece).map((call) => used(call, names)) : [];
    return {
      draft: draftOf({
        model: typeof body.model === 'string' && body.model !== '' ? body.model : wish.model,
        text: typeof content === 'string' ? content : typeof refusal === 'string' ? refusal : '',
        uses,
        // Some services say "stop" also where the model wants tools.
        stopReason: uses.length > 0 ? 'toolUse' : Object.hasOwn(reasons, reason) ? (reasons[reason] as string) : reason,
      }),
      usage: usageOf(body.usage),
    };
  },
};

function written({ role, pieces }: AskedMessage, names: ToolNames): readonly Piece[] {
  return role === 'user' ? userMessages(pieces) : [assistantMessage(pieces, names)];
}

/** What tools gave are messages of their own, and come first: they answer what the assistant has just asked for. */
function userMessages(pieces: readonly Piece[]): readonly Piece[] {
  const results = pieces.filter(({ type }) => type === 'tool_result');
  const others = pieces.filter(({ type }) => type !== 'tool_result').map(userPart);
  const [first] = others;
  const content = others.length === 1 && first?.type === 'text' ? first.text : others;
  return [...results.map(toolMessage), ...(others.length === 0 ? [] : [{ role: 'user', content }])];
}

function userPart(piece: Piece): Piece {
  switch (piece.type) {
    case 'text':
      return { type: 'text', text: textIn(piece, 'text') };
    case 'image': {
      const mimeType = textIn(piece, 'mimeType');
      if (!/^image\/[\w.+-]+$/.test(mimeType)) throw malformed('the type of a picture is none');
      return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${textIn(piece, 'data')}` } };
    }
    case 'audio': {
      const mimeType = textIn(piece, 'mimeType');
      const format = Object.hasOwn(sounds, mimeType) ? sounds[mimeType] : undefined;
      if (format === undefined) throw notTaken(`Chat completions take WAV and MP3, and no ${mimeType.slice(0, 60)}`);
      return { type: 'input_audio', input_audio: { data: textIn(piece, 'data'), format } };
    }
    default:
      throw malformed(`${kindOf(piece)} is no content of a message of a user`);
  }
}

function toolMessage(result: Piece): Piece {
  const texts = plainResult(result).map((part) => {
    if (part.is === 'picture') throw notTaken('Chat completions take no pictures as what a tool gave');
    return part.text;
  });
  const content = `${result.isError === true ? 'The tool failed: ' : ''}${texts.join('\n')}`;
  return { role: 'tool', tool_call_id: textIn(result, 'toolUseId'), content };
}

function assistantMessage(pieces: readonly Piece[], names: ToolNames): Piece {
  const text: string[] = [];
  const calls: Piece[] = [];
  for (const piece of pieces) {
    if (piece.type === 'text') text.push(textIn(piece, 'text'));
    else if (piece.type === 'tool_use') {
      if (!isPiece(piece.input)) throw malformed('"input" of a tool use is no object');
      const called = { name: names.given(textIn(piece, 'name')), arguments: JSON.stringify(piece.input) };
      calls.push({ id: textIn(piece, 'id'), type: 'function', function: called });
    } else throw notTaken(`Chat completions take no ${kindOf(piece)} as what the assistant said`);
  }
  return {
    role: 'assistant',
    content: text.length === 0 ? null : text.join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function used(call: Piece, names: ToolNames): { id: string; name: string; input: unknown } {
  const { name, arguments: written } = isPiece(call.function) ? call.function : {};
  const called = names.back(typeof name === 'string' ? name : '');
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${crypto.randomUUID().slice(0, 8)}`;
  if (typeof written !== 'string' || written.trim() === '') return { id, name: called, input: written ?? {} };
  try {
    return { id, name: called, input: JSON.parse(written) };
  } catch {
    throw notTaken(`The model wants to use ${called.slice(0, 60)} with arguments that are no JSON`);
  }
}

function usageOf(usage: unknown): ModelUsage | undefined {
  if (!isPiece(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return typeof input === 'number' && typeof output === 'number' ? { input, output } : undefined;
}
