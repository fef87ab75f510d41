import type { ContentBlock, ResourceContents, Role } from './content.ts';
import type { Meta } from './meta.ts';

/** Any method's result, in the newest revision's shape and before it is dressed for the wire. */
export interface Result {
  _meta?: Meta;
  [member: string]: unknown;
}

/** How long, and for whom, an answer may be kept. */
export interface CacheHints {
  ttlMs: number;
  /** `public`: the same for everyone, so it may be shared between users. */
  scope: 'public' | 'private';
}

export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError: boolean;
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

export interface ReadResourceResult extends Result {
  contents: ResourceContents[];
}
