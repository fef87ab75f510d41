import type { Resource, Tool } from './define.ts';
import type { Extensions } from './extension.ts';
import { Registry } from './registry.ts';
import { assertClaimed, joined, type ToolAddition } from './tool-addition.ts';
import { type Resources, ToolResources } from './tool-resources.ts';
import { prepareTool, type ToolEntry, type ToolSetting } from './tools.ts';

/** What the tools of a server are part of. */
export interface ToolSurroundings {
  /** The name of the server. */
  readonly server: string;
  readonly extensions: Extensions;
  /** The resources of the server, once they are there. */
  resources(): Resources;
  /** Sees each tool before it is offered. */
  noted(entry: ToolEntry): ToolEntry;
  changed(): void;
}

/** The tools of a server, with what extensions add to them and what they bring along. */
export class ToolRegistry extends Registry<Tool, ToolEntry> {
  constructor({ server, extensions, resources, noted, changed }: ToolSurroundings) {
    const brought = new ToolResources(() => this.list, resources);
    const setting = (tool: Tool): ToolSetting => {
      const addition = additionTo(tool, extensions, (uri) => brought.at(uri));
      if (addition !== undefined) brought.hold(addition);
      return { server, addition, around: extensions.aroundTool(tool) };
    };
    super({
      what: 'tool',
      prepare: (tool, position) => noted(prepareTool(tool, position, setting)),
      itemOf: ({ tool }) => tool,
      changed() {
        brought.settle();
        changed();
      },
      undone: () => brought.settle(),
    });
  }
}

/** What all extensions together add to a tool. */
function additionTo(
  tool: Tool,
  { all }: Extensions,
  offered: (uri: string) => Resource | undefined,
): ToolAddition | undefined {
  assertClaimed(tool, (id) => all.some((extension) => extension.id === id));
  let addition: ToolAddition | undefined;
  for (const { addToTool } of all) {
    const added = addToTool?.(tool, offered);
    if (added !== undefined) addition = addition === undefined ? added : joined(addition, added);
  }
  return addition;
}
