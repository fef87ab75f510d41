import type { ModelDraft, ModelUsage } from '../../shared/questions.ts';

/** Params of a sampling request from an untrusted server. */
export type SampleParams = Readonly<Record<string, unknown>>;

/** A request to a model service. */
export interface ModelPrompt {
  readonly params: SampleParams;
  readonly model: string;
  readonly maxTokens: number;
  /** URL of the service. */
  readonly endpoint: string;
}

/** An answer of a model service. */
export interface ModelAnswer {
  readonly draft: ModelDraft;
  readonly usage: ModelUsage | undefined;
}

/** Translates sampling requests and answers for a model service. */
export interface ModelAdapter {
  /** Request headers. */
  headers(key: string | undefined): Record<string, string>;
  /** Request body. Throws for unsupported content. */
  request(prompt: ModelPrompt, names: ToolNameMap): Record<string, unknown>;
  /** Parses a response body; undefined if it is no answer. */
  answer(body: unknown, prompt: ModelPrompt, names: ToolNameMap): ModelAnswer | undefined;
}

/** Maps tool names to names that services accept. */
export class ToolNameMap {
  readonly #theirs = new Map<string, string>();
  readonly #ours = new Map<string, string>();

  /** Name for the service. */
  toService(name: string): string {
    const known = this.#theirs.get(name);
    if (known !== undefined) return known;
    const plain = name.replaceAll(/[^\w-]/g, '_').slice(0, 60) || '_';
    let free = plain;
    for (let count = 2; this.#ours.has(free); count += 1) free = `${plain}_${count}`;
    this.#theirs.set(name, free);
    this.#ours.set(free, name);
    return free;
  }

  /** Name for the server. */
  toServer(name: string): string {
    return this.#ours.get(name) ?? name;
  }
}
