import {
  isRecord,
  describeType,
  requireList,
  unsupportedError,
  type ContentBlock,
  requireText,
} from './parse-question.ts';
import type { ModelDraft } from '../../shared/models.ts';

/** Part of a tool result. */
export type ToolResultPart =
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
