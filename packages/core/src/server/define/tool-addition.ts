import type { Meta } from '../../protocol/meta.ts';
import type { Resource, Tool } from './define.ts';
import { claimed } from './feature-options.ts';

/** What an extension adds to a tool whose definition says something to it. */
export interface ToolAddition {
  /** The `_meta` of its row in lists, in place of the tool's own. */
  readonly _meta?: Meta;
  /** The extension without which a caller does not see it in lists. */
  readonly listedFor?: string;
  /** What can be read as long as the tool is there. */
  readonly resources?: readonly Resource[];
}

/** Looks at a tool before it is offered; `offered` gives what its server has at an address. */
export type AddToTool = (tool: Tool, offered: (uri: string) => Resource | undefined) => ToolAddition | undefined;

/** What two extensions add to a tool. */
export function mergeAdditions(one: ToolAddition, other: ToolAddition): ToolAddition {
  return {
    ...one,
    ...other,
    _meta: { ...one._meta, ...other._meta },
    resources: [...(one.resources ?? []), ...(other.resources ?? [])],
  };
}

/** Rejects a tool that says something to an extension which its server doesn't have: nobody would ever read it. */
export function assertClaimed(tool: Tool, has: (extension: string) => boolean): void {
  for (const { member, extension, remedy } of claimed) {
    if (tool[member] === undefined || has(extension)) continue;
    throw new TypeError(
      `Tool "${tool.name}" has "${member}", and its server not the extension that reads it: add ${remedy} to "extensions" of createServer`,
    );
  }
}
