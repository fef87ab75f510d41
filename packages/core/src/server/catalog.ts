import type { PreparedResult } from '../jsonrpc/message.ts';
import type { AccessRules } from './access.ts';
import type { Audience, Change, ChangeFeed } from './change-feed.ts';
import type { AccessRule } from './define/access-rule.ts';
import type { Prompt, Resource, Template, Tool } from './define/define.ts';
import { type PromptEntry, preparePrompt } from './define/prompt-entry.ts';
import { Registry } from './define/registry.ts';
import { prepareResource, prepareTemplate, type ResourceEntry, type TemplateEntry } from './define/resource-entry.ts';
import type { BeforeTool, ToolEntry } from './define/tool-entry.ts';
import { ToolRegistry } from './define/tool-registry.ts';
import type { Extensions } from './extension.ts';
import type { EngineOptions } from './options.ts';
import type { OfferedResources } from './server.ts';

/** Options and listeners of a catalog. */
export interface CatalogOptions {
  readonly extensions: Extensions;
  readonly rules: AccessRules;
  /** Checks that features run before calls of a tool. */
  before(tool: Tool): BeforeTool | undefined;
  /** Called when the first entry with an access requirement is added. */
  onGuarded(): void;
  onChange(change: Exclude<Change, { kind: 'extension' }>): void;
  /** The subscribers of resources. */
  feed(): Pick<ChangeFeed, 'onSubscribe' | 'subscribedUris'>;
}

/** The tools, resources, resource templates and prompts of a server. */
export class Catalog {
  readonly tools: Registry<Tool, ToolEntry>;
  readonly resources: ResourceRegistry;
  readonly templates: Registry<Template, TemplateEntry>;
  readonly prompts: Registry<Prompt, PromptEntry>;
  /** First pages of lists as text, by method and revision. */
  readonly pages: Map<string, PreparedResult> = new Map();
  /** First pages of lists that depend on the caller. Only a few variants are cached. */
  readonly variants: Map<string, PreparedResult> = new Map();
  /** True once an entry has an access requirement. */
  isGuarded: boolean;
  readonly #options: CatalogOptions;

  constructor(options: CatalogOptions) {
    const { extensions, rules, before } = options;
    this.#options = options;
    this.isGuarded = extensions.isGuarded;
    this.tools = new ToolRegistry({
      extensions,
      rules,
      resources: () => this.resources,
      before,
      guard: (entry) => this.#guard(entry),
      changed: (to?: Audience) => this.#changed('tools', to),
    });
    this.resources = new ResourceRegistry({
      what: 'resource',
      prepare: (resource, position) => this.#guard(prepareResource(resource, position, rules)),
      itemOf: ({ resource }) => resource,
      isSecret: ({ secret }) => secret === true,
      changed: (to?: Audience) => this.#changed('resources', to),
      updated: (uri, to) => this.#updated(uri, to),
      onSubscribe: (begun) => options.feed().onSubscribe(begun),
      subscribedUris: () => options.feed().subscribedUris(),
    });
    this.templates = new Registry({
      what: 'template',
      prepare: (template, position) => this.#guard(prepareTemplate(template, position, rules)),
      itemOf: ({ template }) => template,
      isSecret: ({ secret }) => secret === true,
      changed: (to?: Audience) => this.#changed('resources', to),
    });
    this.prompts = new Registry({
      what: 'prompt',
      prepare: (prompt, position) => this.#guard(preparePrompt(prompt, position, rules)),
      itemOf: ({ prompt }) => prompt,
      changed: (to?: Audience) => this.#changed('prompts', to),
    });
  }

  addAll({ tools = [], resources = [], templates = [], prompts = [] }: EngineOptions): void {
    this.tools.addAll(tools);
    this.resources.addAll(resources);
    this.templates.addAll(templates);
    this.prompts.addAll(prompts);
  }

  /** True if an argument of a template or a prompt can be completed. */
  completes(): boolean {
    for (const { template } of this.templates.entries.values()) {
      if (template.complete !== undefined) return true;
    }
    for (const { prompt } of this.prompts.entries.values()) {
      if (Object.values(prompt.arguments ?? {}).some((argument) => argument.complete !== undefined)) return true;
    }
    return false;
  }

  #guard<Entry extends { readonly access: AccessRule | undefined }>(entry: Entry): Entry {
    if (entry.access !== undefined && !this.isGuarded) {
      this.isGuarded = true;
      this.#options.onGuarded();
    }
    return entry;
  }

  #updated(uri: string, to?: Audience): void {
    const requirement = this.resources.entries.get(uri)?.access?.fixed;
    this.#options.onChange({ kind: 'resource', uri, ...(to && { to }), ...(requirement && { requirement }) });
  }

  #changed(kind: 'tools' | 'resources' | 'prompts', to?: Audience): void {
    this.pages.clear();
    this.variants.clear();
    this.#options.onChange({ kind, ...(to && { to }) });
  }
}

/** The resources of a server; also notifies that one of them changed. */
class ResourceRegistry extends Registry<Resource, ResourceEntry> implements OfferedResources {
  readonly updated: OfferedResources['updated'];
  readonly onSubscribe: OfferedResources['onSubscribe'];
  readonly subscribedUris: OfferedResources['subscribedUris'];

  constructor(
    kind: ConstructorParameters<typeof Registry<Resource, ResourceEntry>>[0] &
      Pick<OfferedResources, 'updated' | 'onSubscribe' | 'subscribedUris'>,
  ) {
    super(kind);
    this.updated = kind.updated;
    this.onSubscribe = kind.onSubscribe;
    this.subscribedUris = kind.subscribedUris;
  }
}
