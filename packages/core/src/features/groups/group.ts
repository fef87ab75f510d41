import type { PromptListing, ResourceListing, ToolListing } from '../../protocol/listing.ts';
import type { Meta } from '../../protocol/meta.ts';

/** The id of the extension. */
export const groupsId = 'io.modelcontextprotocol/groups';

/** The notification that the groups of a server have changed. */
export const groupsChanged = 'notifications/groups/list_changed';

/** A group as a server lists it. */
export interface Group {
  /** 1 to 64 lower-case letters and digits, with single hyphens between. */
  name: string;
  title?: string;
  /** Its purpose, and when a model needs it. */
  description: string;
  _meta?: Meta;
}

/** The members of a group, with complete definitions. Nested groups are fetched one by one. */
export interface GroupContents {
  tools?: ToolListing[];
  prompts?: PromptListing[];
  resources?: ResourceListing[];
  groups?: Group[];
}

/** What `groups/get` returns: instructions, contents or both. */
export interface GroupDetails {
  instructions?: string;
  contents?: GroupContents;
}

const maxLength = 64;
const pattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** True for a name that a group may have. */
export function isGroupName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= maxLength && pattern.test(name);
}
