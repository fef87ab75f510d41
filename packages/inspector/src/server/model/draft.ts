import type { ModelDraft } from '../../shared/models.ts';
import { isPiece } from './asked.ts';

/** What a model wrote, whatever its service is. */
export interface Wrote {
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
