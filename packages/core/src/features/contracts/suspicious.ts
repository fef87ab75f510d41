import { escapeUnseen } from '../../jsonrpc/text.ts';
import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../../protocol/listing.ts';
import { formatPointer } from '../../schema/problems.ts';

/** Why a definition is suspicious. */
export type SuspicionReason = 'hidden-characters';

/** A sign that a definition tries to steer a model. */
export interface Suspicion {
  /** JSON Pointer into the definition, such as `/inputSchema/properties/note/description`. */
  readonly path: string;
  readonly reason: SuspicionReason;
  /** What is suspicious, one readable sentence without trailing dot. */
  readonly text: string;
  /** The part of the text that was found, escaped and short. */
  readonly excerpt?: string;
}

/** A definition of a server that a model or a host reads. */
export type Definition = ToolListing | ResourceListing | TemplateListing | PromptListing;

/** What is known beside a definition. */
export interface SuspicionContext {
  /** The definition that was accepted before. */
  readonly before?: Definition;
  /** The names of the other tools that the model has, of this server and of others. */
  readonly otherTools?: readonly string[];
}

const maxTexts = 20_000;

/** Finds signs that a definition tries to steer a model. */
export function findSuspicious(definition: Definition, _context: SuspicionContext = {}): readonly Suspicion[] {
  const hidden =
    /(?![\t\n\r])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/u;
  const found: Suspicion[] = [];
  const queue: { value: unknown; path: string }[] = [{ value: definition, path: '' }];
  for (const { value, path } of queue) {
    if (typeof value === 'string') {
      const at = value.search(hidden);
      if (at < 0) continue;
      const excerpt = escapeUnseen(value.slice(Math.max(0, at - 30), at + 30));
      found.push({ path, reason: 'hidden-characters', text: 'the text has hidden characters', excerpt });
    } else if (typeof value === 'object' && value !== null && queue.length < maxTexts) {
      for (const [key, each] of Object.entries(value)) queue.push({ value: each, path: path + formatPointer([key]) });
    }
  }
  return found;
}
