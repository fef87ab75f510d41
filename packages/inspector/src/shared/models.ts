/** How a service that has models is spoken to: as that of Anthropic, or as that of OpenAI, which many others understand too. */
export type ModelService = 'anthropic' | 'openai';

/** A model that may answer what servers ask, as far as the page may know it: the key never comes here. */
export interface KnownModel {
  readonly service: ModelService;
  /** The address that was given. */
  readonly url: string;
  /** Where requests go, and nowhere else. */
  readonly endpoint: string;
  readonly model: string;
  readonly hasKey: boolean;
  /** So many tokens an answer may have. */
  readonly maxTokens: number;
}

/** A model was asked for the answer to a question of a server. */
export interface ModelAsk {
  readonly ask: string;
  readonly question: string;
  readonly connection: string;
  readonly call?: string;
  readonly model: string;
  /** Who wanted it: a person for this question, or the switch that a person has set. */
  readonly by: 'person' | 'itself';
  /** The tokens that the answer may have: what the server wants, or less. */
  readonly maxTokens: number;
}

/** What came of it. */
export interface ModelEnd {
  readonly ask: string;
  readonly question: string;
  /** There is a draft for a person, the server has got it, there is none, or it is not wanted any more. */
  readonly outcome: 'drafted' | 'sent' | 'failed' | 'cancelled';
  readonly ms: number;
  /** What the model wrote, for a person to look at. */
  readonly draft?: ModelDraft;
  /** What the service says that it cost, in tokens. */
  readonly usage?: ModelUsage;
  readonly error?: { readonly says: string; readonly advice?: string };
}

/** An answer of a model in the form of the protocol. */
export interface ModelDraft {
  readonly role: 'assistant';
  readonly model: string;
  readonly content: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  readonly stopReason: string;
}

/** Tokens that were read and written. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
}

/** Whether a model answers what a server asks without a person in between; replaces what was said of the connection before. */
export interface ByItself {
  readonly connection: string;
  readonly on: boolean;
  readonly answers: number;
  readonly tokens: number;
  /** Why it does not, or not now, although it was switched on. */
  readonly says?: string;
}
