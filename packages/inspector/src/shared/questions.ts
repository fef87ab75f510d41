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
  | { readonly refuse: string };
