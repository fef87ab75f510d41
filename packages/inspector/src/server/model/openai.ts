import { isRecord } from '../../shared/json.ts';
import type { ModelAdapter, ToolNameMap } from './adapter.ts';
import {
  type ContentBlock,
  describeType,
  malformedError,
  type ParsedMessage,
  parseQuestion,
  parseToolResult,
  parseUsage,
  requireInput,
  requireText,
  toDraft,
  unsupportedError,
} from './parse-question.ts';

/** OpenAI renamed the token limit; most compatible services know only the old name. */
const openaiHost = 'api.openai.com';

const audioFormats: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};
const stopReasons = new Map([
  ['stop', 'endTurn'],
  ['length', 'maxTokens'],
  ['tool_calls', 'toolUse'],
  ['function_call', 'toolUse'],
]);

/** Adapter for OpenAI's Chat Completions API, which many services and local models support. */
export const openai: ModelAdapter = {
  headers: (key) => (key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  request({ params, model, maxTokens, endpoint }, names) {
    const { messages, system, temperature, stop, tools, toolChoice } = parseQuestion(params);
    return {
      model,
      [new URL(endpoint).host === openaiHost ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(stop !== undefined && { stop }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          function: {
            name: names.toService(name),
            ...(description !== undefined && { description }),
            parameters: { ...inputSchema, type: 'object' },
          },
        })),
        ...(toolChoice !== undefined && { tool_choice: toolChoice }),
      }),
      messages: [
        ...(system === undefined ? [] : [{ role: 'system', content: system }]),
        ...messages.flatMap((message) => encodeMessages(message, names)),
      ],
    };
  },
  answer(body, prompt, names) {
    const choice: unknown = isRecord(body) && Array.isArray(body.choices) ? body.choices[0] : undefined;
    if (!isRecord(body) || !isRecord(choice) || !isRecord(choice.message)) return undefined;
    const { content, refusal, tool_calls: calls } = choice.message;
    const reason = typeof choice.finish_reason === 'string' ? choice.finish_reason : 'stop';
    const uses = Array.isArray(calls) ? calls.filter(isRecord).map((call) => decodeToolCall(call, names)) : [];
    return {
      draft: toDraft({
        model: typeof body.model === 'string' && body.model !== '' ? body.model : prompt.model,
        text: typeof content === 'string' ? content : typeof refusal === 'string' ? refusal : '',
        uses,
        // Some services report "stop" for tool calls too.
        stopReason: uses.length > 0 ? 'toolUse' : (stopReasons.get(reason) ?? reason),
      }),
      usage: parseUsage(body.usage, 'prompt_tokens', 'completion_tokens'),
    };
  },
};

function encodeMessages({ role, blocks }: ParsedMessage, names: ToolNameMap): readonly ContentBlock[] {
  return role === 'user' ? userMessages(blocks) : [assistantMessage(blocks, names)];
}

/** Tool results become separate messages, and come first: they answer the assistant's tool calls. */
function userMessages(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result').map(userPart);
  const [first] = others;
  const content = others.length === 1 && first?.type === 'text' ? first.text : others;
  return [...results.map(toolMessage), ...(others.length === 0 ? [] : [{ role: 'user', content }])];
}

function userPart(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: requireText(block, 'text') };
    case 'image': {
      const mimeType = requireText(block, 'mimeType');
      if (!/^image\/[\w.+-]+$/.test(mimeType)) throw malformedError('the type of a picture is none');
      return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${requireText(block, 'data')}` } };
    }
    case 'audio': {
      const mimeType = requireText(block, 'mimeType');
      const format = Object.hasOwn(audioFormats, mimeType) ? audioFormats[mimeType] : undefined;
      if (format === undefined)
        throw unsupportedError(`Chat completions take WAV and MP3, and no ${mimeType.slice(0, 60)}`);
      return { type: 'input_audio', input_audio: { data: requireText(block, 'data'), format } };
    }
    default:
      throw malformedError(`${describeType(block)} is no content of a message of a user`);
  }
}

function toolMessage(result: ContentBlock): ContentBlock {
  const texts = parseToolResult(result).map((part) => {
    if (part.is === 'picture') throw unsupportedError('Chat completions take no pictures as what a tool gave');
    return part.text;
  });
  const content = `${result.isError === true ? 'The tool failed: ' : ''}${texts.join('\n')}`;
  return { role: 'tool', tool_call_id: requireText(result, 'toolUseId'), content };
}

function assistantMessage(blocks: readonly ContentBlock[], names: ToolNameMap): ContentBlock {
  const text: string[] = [];
  const calls: ContentBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'text') text.push(requireText(block, 'text'));
    else if (block.type === 'tool_use') {
      const called = {
        name: names.toService(requireText(block, 'name')),
        arguments: JSON.stringify(requireInput(block)),
      };
      calls.push({ id: requireText(block, 'id'), type: 'function', function: called });
    } else throw unsupportedError(`Chat completions take no ${describeType(block)} as what the assistant said`);
  }
  return {
    role: 'assistant',
    content: text.length === 0 ? null : text.join(''),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function decodeToolCall(call: ContentBlock, names: ToolNameMap): { id: string; name: string; input: unknown } {
  const { name, arguments: written } = isRecord(call.function) ? call.function : {};
  const called = names.toServer(typeof name === 'string' ? name : '');
  const id = typeof call.id === 'string' && call.id !== '' ? call.id : `call_${crypto.randomUUID().slice(0, 8)}`;
  if (typeof written !== 'string' || written.trim() === '') return { id, name: called, input: written ?? {} };
  try {
    return { id, name: called, input: JSON.parse(written) };
  } catch {
    throw unsupportedError(`The model wants to use ${called.slice(0, 60)} with arguments that are no JSON`);
  }
}
