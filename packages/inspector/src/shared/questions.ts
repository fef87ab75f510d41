/** A question of an untrusted server. */
export interface Question {
  readonly question: string;
  readonly connection: string;
  /** The call that asks it, if known. */
  readonly call?: string;
  readonly method: 'elicitation/create' | 'sampling/createMessage';
  readonly params: Readonly<Record<string, unknown>>;
}

/** End of a question. */
export interface QuestionEnd {
  readonly question: string;
  /** Answered by the page, withdrawn by the server, or lost with its connection. */
  readonly outcome: 'answered' | 'withdrawn' | 'lost';
  readonly action?: string;
  readonly ms: number;
}

/** Answer to an elicitation. */
export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Answer to a sampling request, or its rejection. */
export type SampleAnswer =
  | {
      readonly role: 'assistant';
      readonly model: string;
      readonly content: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
      readonly stopReason?: string;
    }
  | { readonly reject: string };

/** API of a model service: Anthropic's, or OpenAI's, which many others support. */
export type ModelService = 'anthropic' | 'openai';

/** The configured model, without its key. */
export interface KnownModel {
  readonly service: ModelService;
  /** The given URL. */
  readonly url: string;
  /** The only URL that requests go to. */
  readonly endpoint: string;
  readonly model: string;
  readonly hasKey: boolean;
  /** Token limit of an answer. */
  readonly maxTokens: number;
}

/** A model was asked to answer a question. */
export interface ModelAsk {
  readonly ask: string;
  readonly question: string;
  readonly connection: string;
  readonly call?: string;
  readonly model: string;
  /** The initiator: the user for this question, or automatic answers. */
  readonly by: 'user' | 'auto';
  /** Token limit: the server's, or less. */
  readonly maxTokens: number;
}

/** Outcome of a model request. */
export interface ModelEnd {
  readonly ask: string;
  readonly question: string;
  /** A draft for the user, sent to the server, failed, or cancelled. */
  readonly outcome: 'drafted' | 'sent' | 'failed' | 'cancelled';
  readonly ms: number;
  /** The draft for the user. */
  readonly draft?: ModelDraft;
  /** Token usage reported by the service. */
  readonly usage?: ModelUsage;
  readonly error?: { readonly message: string; readonly advice?: string };
}

/** A sampling result. */
export interface ModelDraft {
  readonly role: 'assistant';
  readonly model: string;
  readonly content: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  readonly stopReason: string;
}

/** Input and output tokens. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
}

/** State of automatic answers; replaces the connection's earlier state. */
export interface AutoAnswerState {
  readonly connection: string;
  readonly on: boolean;
  readonly answers: number;
  readonly tokens: number;
  /** Why they are off or paused. */
  readonly message?: string;
}
