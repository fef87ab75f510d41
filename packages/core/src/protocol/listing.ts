import type { Annotations } from './content.ts';
import type { Icon } from './identity.ts';
import type { Meta } from './meta.ts';

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
export interface ToolListing {
  name: string;
  title?: string;
  description?: string;
  inputSchema: WireSchema;
  outputSchema?: WireSchema;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** A row of `resources/list`. */
export interface ResourceListing {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** A row of `resources/templates/list`. */
export interface TemplateListing {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Annotations;
  icons?: Icon[];
  _meta?: Meta;
}

/** An argument in a row of `prompts/list`. */
export interface PromptArgumentListing {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A row of `prompts/list`. */
export interface PromptListing {
  name: string;
  title?: string;
  description?: string;
  arguments?: PromptArgumentListing[];
  icons?: Icon[];
  _meta?: Meta;
}
