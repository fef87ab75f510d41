import { isPiece, kindOf, listOf, notTaken, type Piece, textIn } from './parse-question.ts';
import type { ModelDraft } from '../../shared/models.ts';

/** What a tool gave, as services take it. */
export type PlainPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'picture'; readonly mimeType: string; readonly data: string };

/** The content of a tool result in texts and pictures. Where there is none, the structured content speaks for it. */
export function plainResult(result: Piece): readonly PlainPart[] {
  const { content = [], structuredContent } = result;
  const parts = listOf(content, '"content" of a tool result').map((each) => partOf(each));
  if (parts.length > 0 || structuredContent === undefined) return parts;
  return [{ is: 'text', text: JSON.stringify(structuredContent) }];
}

function partOf(piece: unknown): PlainPart {
  if (!isPiece(piece)) throw notTaken('A tool result has a content that is none');
  switch (piece.type) {
    case 'text':
      return { is: 'text', text: textIn(piece, 'text') };
    case 'image':
      return { is: 'picture', mimeType: textIn(piece, 'mimeType'), data: textIn(piece, 'data') };
    case 'resource_link':
      return { is: 'text', text: JSON.stringify(piece) };
    case 'resource':
      if (isPiece(piece.resource) && typeof piece.resource.text === 'string')
        return { is: 'text', text: piece.resource.text };
      throw notTaken('A tool result has a resource that is no text');
    default:
      throw notTaken(`No model takes ${kindOf(piece)} as what a tool gave`);
  }
}

/** What a model wrote, whatever its service is. */
interface Wrote {
  readonly model: string;
  readonly text: string;
  readonly uses: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly stopReason: string;
}

/** An answer in the form of the protocol: one piece where that is enough, as older revisions know no lists. */
export function draftOf({ model, text, uses, stopReason }: Wrote): ModelDraft {
  const content = [
    ...(text !== '' || uses.length === 0 ? [{ type: 'text', text }] : []),
    ...uses.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input: isPiece(input) ? input : {} })),
  ];
  const [only] = content;
  return {
    role: 'assistant',
    model,
    content: content.length === 1 && only !== undefined ? only : content,
    stopReason,
  };
}
