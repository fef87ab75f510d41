import type { ServerCapabilities } from '../protocol/capabilities.ts';
import type { MethodFacts } from '../protocol/methods.ts';
import type { Revision } from '../revisions/revision.ts';
import type { Catalog } from './catalog.ts';
import type { Extensions } from './extension.ts';
import type { DeclaredCapabilities, EngineOptions } from './options.ts';

type Kind = NonNullable<MethodFacts['needs']>;

const kinds: readonly Kind[] = ['tools', 'resources', 'prompts', 'completions', 'subscriptions', 'logging'];

/** The capabilities of a server: they follow from its catalog, its options and its extensions. */
export class Capabilities {
  /** The capabilities that do not follow from the catalog. */
  readonly declared: Required<DeclaredCapabilities>;
  /** The kinds of entries that the server offers; undefined until computed after a change of the catalog. */
  offered: ReadonlySet<Kind> | undefined;
  readonly #catalog: Catalog;
  readonly #extensions: Extensions;
  readonly #options: EngineOptions;
  #addsTools = false;

  constructor(catalog: Catalog, extensions: Extensions, options: EngineOptions) {
    this.declared = { logging: true, listChanged: true, subscribe: true, completions: false, ...options.capabilities };
    this.#catalog = catalog;
    this.#extensions = extensions;
    this.#options = options;
  }

  /** The capabilities as clients of a revision see them. */
  forRevision(revision: Revision): ServerCapabilities {
    const extensions = this.#extensions.settingsIn(revision.era);
    const former = this.#extensions.formsIn(revision).map((form) => form.capabilities(this.#catalog.tools));
    return Object.assign(this.#toCapabilities(extensions), ...former);
  }

  /** Declares tools, which middleware serves. */
  offerTools(): void {
    this.#addsTools = true;
    this.offered = undefined;
  }

  /** True if the server has entries of this kind, or may get some later. */
  offers(kind: Kind): boolean {
    return (this.offered ?? this.readOffered()).has(kind);
  }

  /** Computes which kinds of entries the server offers. */
  readOffered(): ReadonlySet<Kind> {
    this.offered = new Set(kinds.filter((kind) => this.#has(kind)));
    return this.offered;
  }

  #has(kind: Kind): boolean {
    const options = this.#options;
    const { tools, resources, templates, prompts } = this.#catalog;
    switch (kind) {
      case 'tools':
        return tools.size > 0 || options.tools !== undefined || this.#addsTools;
      case 'resources':
        return (
          resources.size > 0 || templates.size > 0 || options.resources !== undefined || options.templates !== undefined
        );
      case 'prompts':
        return prompts.size > 0 || options.prompts !== undefined;
      case 'completions':
        return this.declared.completions || this.#catalog.completes();
      case 'subscriptions':
        return this.declared.subscribe && this.#has('resources');
      case 'logging':
        return this.declared.logging;
    }
  }

  #toCapabilities(extensions: Record<string, object> | undefined): ServerCapabilities {
    const { logging, listChanged, subscribe } = this.declared;
    const changing = listChanged ? { listChanged } : {};
    return {
      ...(this.offers('tools') && { tools: { ...changing } }),
      ...(this.offers('resources') && { resources: { ...(subscribe && { subscribe }), ...changing } }),
      ...(this.offers('prompts') && { prompts: { ...changing } }),
      ...(this.offers('completions') && { completions: {} }),
      ...(logging && { logging: {} }),
      ...(extensions !== undefined && { extensions }),
    };
  }
}
