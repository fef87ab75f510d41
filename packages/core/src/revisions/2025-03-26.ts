import type { AudioContent, ContentBlock } from '../protocol/content.ts';
import { mapContent, mapPromptContent, rejectUnsupported } from './downgrade.ts';
import type { Changes } from './revision.ts';

/** Audio content; batches, for this revision only. */
export const changes: Changes = {
  version: '2025-03-26',
  batches: true,
  downgrade: {
    'tools/call': (result) => mapContent(result, withoutAudio),
    'prompts/get': (result) => mapPromptContent(result, withoutAudio),
    'sampling/createMessage': (params) => {
      const blocks = params.messages.flatMap((message) => message.content);
      if (blocks.some((block) => block.type === 'audio'))
        rejectUnsupported('audio in sampling messages', { sampling: {} });
      return params;
    },
  },
};

function withoutAudio(block: ContentBlock): ContentBlock {
  return block.type === 'audio' ? asEmbedded(block) : block;
}

/** Older clients support audio only as an embedded file; its URI can't be read. */
function asEmbedded({ data, mimeType, type: _, ...rest }: AudioContent): ContentBlock {
  return { type: 'resource', resource: { uri: 'embedded://audio', mimeType, blob: data }, ...rest };
}
