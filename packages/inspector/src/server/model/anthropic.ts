import { isRecord } from '../../shared/json.ts';
import type { ModelAdapter, ModelAnswer, ModelPrompt, ToolNameMap } from './adapter.ts';
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

/** API version. */
const version = '2023-06-01';

const imageTypes = /^image\/(?:png|jpeg|gif|webp)$/;
const toolChoices = { auto: 'auto', required: 'any', none: 'none' } as const;
const stopReasons = new Map([
  ['end_turn', 'endTurn'],
  ['stop_sequence', 'stopSequence'],
  ['max_tokens', 'maxTokens'],
  ['tool_use', 'toolUse'],
]);

/** Adapter for Anthropic's Messages API. */
export const anthropic: ModelAdapter = {
  headers: (key) => ({ 'anthropic-version': version, ...(key !== undefined && { 'x-api-key': key }) }),
  request({ params, model, maxTokens }, names) {
    const { messages, system, temperature, stop, tools, toolChoice } = parseQuestion(params);
    return {
      model,
      max_tokens: maxTokens,
      ...(system !== undefined && { system }),
      ...(temperature !== undefined && { temperature }),
      ...(stop !== undefined && { stop_sequences: stop }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, inputSchema }) => ({
          name: names.toService(name),
          ...(description !== undefined && { description }),
          input_schema: { ...inputSchema, type: 'object' },
        })),
        ...(toolChoice !== undefined && { tool_choice: { type: toolChoices[toolChoice] } }),
      }),
      messages: messages.map((message) => encodeMessage(message, names)),
    };
  },
  answer(body, prompt, names) {
    if (!isRecord(body) || !Array.isArray(body.content)) return undefined;
    return decodeAnswer(body, body.content.filter(isRecord), prompt, names);
  },
};

function encodeMessage({ role, blocks }: ParsedMessage, names: ToolNameMap): ContentBlock {
  return { role, content: blocks.map((block) => encodeBlock(block, names)) };
}

function encodeBlock(block: ContentBlock, names: ToolNameMap): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: requireText(block, 'text') };
    case 'image':
      return encodeImage(requireText(block, 'mimeType'), requireText(block, 'data'));
    case 'audio':
      throw unsupportedError("Anthropic's Messages API does not accept audio");
    case 'tool_use':
      return {
        type: 'tool_use',
        id: requireText(block, 'id'),
        name: names.toService(requireText(block, 'name')),
        input: requireInput(block),
      };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: requireText(block, 'toolUseId'),
        content: encodeToolResult(block),
        ...(block.isError === true && { is_error: true }),
      };
    default:
      throw malformedError(`${describeType(block)} is no content of a message`);
  }
}

function encodeToolResult(result: ContentBlock): readonly ContentBlock[] {
  return parseToolResult(result).map((part) =>
    part.is === 'text' ? { type: 'text', text: part.text } : encodeImage(part.mimeType, part.data),
  );
}

function encodeImage(mimeType: string, data: string): ContentBlock {
  if (!imageTypes.test(mimeType)) {
    throw unsupportedError(`Anthropic takes PNG, JPEG, GIF and WebP, and no ${mimeType.slice(0, 60)}`);
  }
  return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
}

function decodeAnswer(
  body: ContentBlock,
  blocks: readonly ContentBlock[],
  { model }: ModelPrompt,
  names: ToolNameMap,
): ModelAnswer {
  const text = blocks
    .filter(({ type }) => type === 'text')
    .map(({ text: words }) => (typeof words === 'string' ? words : ''))
    .join('');
  const uses = blocks
    .filter(({ type, id, name }) => type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    .map(({ id, name, input }) => ({ id: id as string, name: names.toServer(name as string), input }));
  const reason = typeof body.stop_reason === 'string' ? body.stop_reason : 'end_turn';
  return {
    draft: toDraft({
      model: typeof body.model === 'string' ? body.model : model,
      text,
      uses,
      stopReason: stopReasons.get(reason) ?? reason,
    }),
    usage: parseUsage(body.usage, 'input_tokens', 'output_tokens'),
  };
}
