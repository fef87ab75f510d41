import type { ResourceLink } from './content.ts';
import type { Described } from './identity.ts';

/** Hints for hosts about the side effects of a tool. Hosts may distrust them. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A JSON Schema on the wire. */
export interface WireSchema {
  $schema?: string;
  type?: string;
  [keyword: string]: unknown;
}

/** A row of `tools/list`. */
export interface ToolListing extends Described {
  name: string;
  inputSchema: WireSchema;
  outputSchema?: WireSchema;
  annotations?: ToolAnnotations;
}

/** The maximum length of a resource's URI, in characters. */
export const maxUriLength = 8192;

/** A row of `resources/list`. */
export type ResourceListing = Omit<ResourceLink, 'type'>;

/** A row of `resources/templates/list`. */
export interface TemplateListing extends Omit<ResourceListing, 'uri' | 'size'> {
  uriTemplate: string;
}

/** An argument in a row of `prompts/list`. */
export interface PromptArgumentListing extends Pick<Described, 'title' | 'description'> {
  name: string;
  required?: boolean;
}

/** A row of `prompts/list`. */
export interface PromptListing extends Described {
  name: string;
  arguments?: PromptArgumentListing[];
}
