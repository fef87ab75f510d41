import type { ContentBlock, ResourceContents, Role } from './content.ts';
import type { Meta } from './meta.ts';

/** The result of a method, in the form of the newest revision and without era fields. */
export interface Result {
  _meta?: Meta;
  [member: string]: unknown;
}

/** Cache hints of a result. */
export interface CacheHints {
  ttlMs: number;
  /** `public`: the same for everyone, so it may be shared between users. */
  scope: 'public' | 'private';
}

/** Hints for a result that only its caller may cache. */
export function privateCache(ttlMs: number): CacheHints {
  return { ttlMs, scope: 'private' };
}

/** The result of a tool. */
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError: boolean;
}

/** One message of a prompt. */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/** A prompt that is filled in. */
export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

/** The result of reading a resource. */
export interface ReadResourceResult extends Result {
  contents: ResourceContents[];
}
