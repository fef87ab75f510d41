import type { ModelDraft, ModelUsage } from '../../shared/models.ts';

/** What a server asks, as it came: data of a stranger. */
export type SampleParams = Readonly<Record<string, unknown>>;

/** What is asked of a service. */
export interface ModelWish {
  readonly params: SampleParams;
  readonly model: string;
  readonly maxTokens: number;
  /** Where it is asked. */
  readonly endpoint: string;
}

/** What a service answered. */
export interface ModelAnswer {
  readonly draft: ModelDraft;
  readonly usage: ModelUsage | undefined;
}

/** How questions and answers of the protocol are said in the language of a service. */
export interface Translation {
  /** Headers of a request. */
  headers(key: string | undefined): Record<string, string>;
  /** The body of a request. Refuses what the service does not understand. */
  request(wish: ModelWish, names: ToolNames): Record<string, unknown>;
  /** The answer in the body of a response; undefined where it is none. */
  answer(body: unknown, wish: ModelWish, names: ToolNames): ModelAnswer | undefined;
}

/** Names of tools that services take: of other characters they want none. */
export class ToolNames {
  readonly #theirs = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  /** The name that a service gets. */
  given(name: string): string {
    const known = this.#theirs.get(name);
    if (known !== undefined) return known;
    const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, 60) || '_';
    let free = plain;
    for (let count = 2; this.#ours.has(free); count += 1) free = `${plain}_${count}`;
    this.#theirs.set(name, free);
    this.#ours.set(free, name);
    return free;
  }

  /** The name that a server knows. */
  back(name: string): string {
    return this.#ours.get(name) ?? name;
  }
}
