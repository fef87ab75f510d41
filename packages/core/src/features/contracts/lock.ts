import { escapeUnseen, truncate } from '../../jsonrpc/text.ts';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import type { PromptListing, ResourceListing, TemplateListing, ToolListing } from '../../protocol/listing.ts';

/** A definition as it was approved. */
export interface LockedDefinition<Definition> {
  /** `sha256:` and the digest of the definition as canonical JSON (RFC 8785). */
  readonly digest: string;
  readonly definition: Definition;
}

type Locked<Definition> = Readonly<Record<string, LockedDefinition<Definition>>>;

/** What a server offered when it was approved. */
export interface LockedServer {
  readonly server: { readonly name?: string; readonly title?: string; readonly version?: string };
  /** The protocol revisions that the server named. */
  readonly revisions: readonly string[];
  readonly capabilities: ServerCapabilities;
  /** The instructions for the model. */
  readonly instructions?: string;
  readonly tools: Locked<ToolListing>;
  /** By URI. */
  readonly resources: Locked<ResourceListing>;
  /** By URI template. */
  readonly templates: Locked<TemplateListing>;
  readonly prompts: Locked<PromptListing>;
}

/** The approved definitions of servers: the content of `mcp-lock.json`. */
export interface Lock {
  readonly lockVersion: typeof lockVersion;
  /** By the name of the target: what is typed or configured to reach the server. */
  readonly targets: Readonly<Record<string, LockedServer>>;
}

/** The version of the format. */
export const lockVersion = 1;

/** A lock, or what should be locked, can't be used. The message says what to do. */
export class LockError extends Error {
  override name = 'LockError';
}

/** The kinds of definitions, with their member of a lock, the member that identifies one, and the list it is in. */
export const definitionKinds = [
  { kind: 'tool', member: 'tools', key: 'name', method: 'tools/list' },
  { kind: 'resource', member: 'resources', key: 'uri', method: 'resources/list' },
  { kind: 'template', member: 'templates', key: 'uriTemplate', method: 'resources/templates/list' },
  { kind: 'prompt', member: 'prompts', key: 'name', method: 'prompts/list' },
] as const;

/** A row of `definitionKinds`. */
export type DefinitionKind = (typeof definitionKinds)[number];

/** The server that was locked under a name: the name of the target, or its end after a colon, as in `cursor:notes`. */
export function lockedTarget({ targets }: Lock, name: string): LockedServer {
  if (Object.hasOwn(targets, name)) return targets[name] as LockedServer;
  const names = Object.keys(targets);
  const [alike, ...others] = names.filter((each) => each.endsWith(`:${name}`));
  if (alike !== undefined && others.length === 0) return targets[alike] as LockedServer;
  const known = names.length === 0 ? 'it has none' : `it has ${names.slice(0, 20).join(', ')}`;
  throw new LockError(`The lock has no target ${quoteName(name)}: ${escapeUnseen(truncate(known, 500))}`);
}

/** A name of a server or a file, for a message. */
export function quoteName(name: string): string {
  return escapeUnseen(JSON.stringify(truncate(name, 100)));
}
