import type { Meta } from '../../protocol/meta.ts';
import type { Resource, Tool } from './define.ts';
import { extensionOptions } from './feature-options.ts';

/** An extension's addition to a tool. */
export interface ToolAddition {
  /** The `_meta` of its list entry, replacing the tool's own. */
  readonly _meta?: Meta;
  /** The id of an extension; callers without it don't see the tool in lists. */
  readonly listedFor?: string;
  /** Resources that exist as long as the tool. */
  readonly resources?: readonly Resource[];
}

/** Called with a tool when it is added; `offered` returns the server's resource at a URI. */
export type AddToTool = (tool: Tool, offered: (uri: string) => Resource | undefined) => ToolAddition | undefined;

/** Merges the additions of two extensions to a tool. */
export function mergeAdditions(one: ToolAddition, other: ToolAddition): ToolAddition {
  return {
    ...one,
    ...other,
    _meta: { ...one._meta, ...other._meta },
    resources: [...(one.resources ?? []), ...(other.resources ?? [])],
  };
}

/** Rejects a tool with options of an extension that its server doesn't have: they would be ignored. */
export function assertClaimed(tool: Tool, has: (extension: string) => boolean): void {
  for (const { member, extension, remedy } of extensionOptions) {
    if (tool[member] === undefined || has(extension)) continue;
    throw new TypeError(
      `Tool "${tool.name}" has "${member}", and its server not the extension that reads it: add ${remedy} to "extensions" of createServer`,
    );
  }
}
