import type { Resource } from './define.ts';
import type { ToolAddition } from './tool-addition.ts';

/** As much of a server's resources as is wanted here. */
export interface Resources {
  get(uri: string): Resource | undefined;
  addAll(resources: Iterable<Resource>): void;
  remove(uri: string): boolean;
}

/** The resources that tools bring along: each is there as long as one of its tools. */
export class ToolResources {
  readonly #tools: () => readonly { readonly addition: ToolAddition | undefined }[];
  readonly #resources: () => Resources;
  /** Of the tools that are offered, and of those that are just about to be. */
  #held = new Map<string, Resource>();
  /** Those that were added for tools. */
  readonly #added = new Map<string, Resource>();

  /** Both are asked when they are wanted: tools are there before resources. */
  constructor(tools: () => readonly { readonly addition: ToolAddition | undefined }[], resources: () => Resources) {
    this.#tools = tools;
    this.#resources = resources;
  }

  /** What is there at an address, or will be with the tools that are being added. */
  at(uri: string): Resource | undefined {
    return this.#held.get(uri) ?? this.#resources().get(uri);
  }

  /** Keeps what a tool brings along, until it is certain that the tool is offered. */
  hold({ resources = [] }: ToolAddition): void {
    for (const resource of resources) {
      const there = this.at(resource.uri);
      if (there !== undefined && there !== resource) {
        throw new TypeError(`There is already another resource "${resource.uri}": choose another address`);
      }
      this.#held.set(resource.uri, resource);
    }
  }

  /** Offers what the present tools bring along, and nothing that others did. */
  settle(): void {
    if (this.#held.size === 0) return;
    const wanted = new Map<string, Resource>();
    for (const { addition } of this.#tools()) {
      for (const resource of addition?.resources ?? []) wanted.set(resource.uri, resource);
    }
    this.#held = wanted;
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
