import type { AudioContent, ContentBlock, ImageContent, Role, TextContent } from './content.ts';
import type { ToolListing, WireSchema } from './listing.ts';
import type { Meta } from './meta.ts';

/** Something that a client may be able to do for a handler. */
export type Ability = 'elicit' | 'elicit-url' | 'sample' | 'sample-tools' | 'roots';

/** `elicitation/create`: a form to fill in, or a page to visit. */
export type ElicitParams =
  | { mode: 'form'; message: string; requestedSchema: WireSchema }
  | { mode: 'url'; message: string; url: string; elicitationId?: string };

/** A tool that the client's model wants to use. */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: Meta;
}

/** The result of a tool that the client's model used. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Meta;
}

/** A content block of a message to or from the client's model. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message to or from the client's model. */
export interface SamplingMessage {
  role: Role;
  content: SamplingContent | SamplingContent[];
  _meta?: Meta;
}

/** `sampling/createMessage`: a completion by the client's model. */
export interface SampleParams {
  messages: SamplingMessage[];
  maxTokens: number;
  systemPrompt?: string;
  modelPreferences?: {
    hints?: { name?: string }[];
    costPriority?: number;
    speedPriority?: number;
    intelligencePriority?: number;
  };
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  stopSequences?: string[];
  metadata?: object;
  tools?: ToolListing[];
  toolChoice?: { mode?: 'auto' | 'required' | 'none' };
}

/** The answer of the client's model. `content` is a list in every revision. */
export interface SampleResult {
  role: Role;
  content: SamplingContent[];
  model: string;
  stopReason?: string;
}

/** A folder or file the client works in. `uri` starts with `file://`. */
export interface Root {
  uri: string;
  name?: string;
}
