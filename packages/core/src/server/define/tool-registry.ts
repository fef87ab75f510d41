import type { Resource, Tool } from './define.ts';
import type { AccessRules } from '../access.ts';
import type { Audience } from '../change-feed.ts';
import type { Extensions } from '../extension.ts';
import { Registry } from './registry.ts';
import { assertClaimed, mergeAdditions, type ToolAddition } from './tool-addition.ts';
import { type BeforeTool, prepareTool, type ToolEntry, type ToolSetting } from './tool-entry.ts';

/** The part of a server's resources used here. */
interface Resources {
  get(uri: string): Resource | undefined;
  addAll(resources: Iterable<Resource>): void;
  remove(uri: string): boolean;
}

/** Resources that belong to tools: each exists as long as one of its tools. */
class ToolResources {
  readonly #tools: () => readonly { readonly addition: ToolAddition | undefined }[];
  readonly #resources: () => Resources;
  /** The resources of present tools, and of those being added. */
  #staged = new Map<string, Resource>();
  /** Resources that were added for tools. */
  readonly #added = new Map<string, Resource>();

  /** Functions, because tools are created before resources. */
  constructor(tools: () => readonly { readonly addition: ToolAddition | undefined }[], resources: () => Resources) {
    this.#tools = tools;
    this.#resources = resources;
  }

  /** The resource at a URI, also of tools that are being added. */
  get(uri: string): Resource | undefined {
    return this.#staged.get(uri) ?? this.#resources().get(uri);
  }

  /** Stages the resources of a tool until the tool is added. */
  stage({ resources = [] }: ToolAddition): void {
    for (const resource of resources) {
      const there = this.get(resource.uri);
      if (there !== undefined && there !== resource) {
        throw new TypeError(`There is already another resource "${resource.uri}": choose another address`);
      }
      this.#staged.set(resource.uri, resource);
    }
  }

  /** Registers the resources of the present tools, and removes all others. */
  commit(): void {
    if (this.#staged.size === 0) return;
    const wanted = new Map<string, Resource>();
    for (const { addition } of this.#tools()) {
      for (const resource of addition?.resources ?? []) wanted.set(resource.uri, resource);
    }
    this.#staged = wanted;
    for (const [uri, resource] of this.#added) {
      if (wanted.get(uri) === resource) continue;
      this.#added.delete(uri);
      this.#resources().remove(uri);
    }
    const missing = [...wanted.values()].filter(({ uri }) => this.#resources().get(uri) === undefined);
    for (const resource of missing) this.#added.set(resource.uri, resource);
    if (missing.length > 0) this.#resources().addAll(missing);
  }
}

/** The environment of a tool registry. */
export interface ToolSurroundings {
  readonly extensions: Extensions;
  readonly rules: AccessRules;
  /** The resources of the server, once they are there. */
  resources(): Resources;
  /** Features' checks before calls of a tool. */
  before(tool: Tool): BeforeTool | undefined;
  /** Called with each tool before it is added. */
  guard(entry: ToolEntry): ToolEntry;
  changed(to?: Audience): void;
}

/** The tools of a server, with additions of extensions and their resources. */
export class ToolRegistry extends Registry<Tool, ToolEntry> {
  constructor({ extensions, rules, resources, before, guard, changed }: ToolSurroundings) {
    const staged = new ToolResources(() => this.list, resources);
    const setting = (tool: Tool): ToolSetting => {
      const addition = resolveAddition(tool, extensions, (uri) => staged.get(uri));
      if (addition !== undefined) staged.stage(addition);
      const rule = rules.callRule(`Tool "${tool.name}"`, tool);
      return { access: rule, addition, before: before(tool), around: extensions.aroundTool(tool) };
    };
    super({
      what: 'tool',
      prepare: (tool, position) => guard(prepareTool(tool, position, setting)),
      itemOf: ({ tool }) => tool,
      changed(to) {
        staged.commit();
        changed(to);
      },
      undone: () => staged.commit(),
    });
  }
}

/** Merges the additions of all extensions to a tool. */
function resolveAddition(
  tool: Tool,
  { all }: Extensions,
  offered: (uri: string) => Resource | undefined,
): ToolAddition | undefined {
  assertClaimed(tool, (id) => all.some((extension) => extension.id === id));
  let addition: ToolAddition | undefined;
  for (const { addToTool } of all) {
    const added = addToTool?.(tool, offered);
    if (added !== undefined) addition = addition === undefined ? added : mergeAdditions(addition, added);
  }
  return addition;
}
