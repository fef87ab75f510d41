import { type ContentBlock, text } from '../protocol/content.ts';
import { mapContent, mapPromptContent } from './downgrade.ts';
import type { Changes } from './revision.ts';

/** Elicitation, structured output, links to resources; batches are gone. */
export const changes: Changes = {
  version: '2025-06-18',
  batches: false,
  adds: { questions: ['elicitation/create'], abilities: ['elicit'] },
  downgrade: {
    'tools/call': (result) => mapContent(result, withoutLinks),
    'prompts/get': (result) => mapPromptContent(result, withoutLinks),
  },
};

function withoutLinks(block: ContentBlock): ContentBlock {
  if (block.type !== 'resource_link') return block;
  return text(`${block.title ?? block.name}: ${block.uri}`);
}
