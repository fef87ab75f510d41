/** The server asks something, and waits. All of it is data of a stranger. */
export interface Question {
  readonly question: string;
  readonly connection: string;
  /** The call in which it is asked, where that can be told. */
  readonly call?: string;
  readonly method: 'elicitation/create' | 'sampling/createMessage';
  readonly params: Readonly<Record<string, unknown>>;
}

/** Nobody waits for an answer any more. */
export interface QuestionEnd {
  readonly question: string;
  /** It was answered by the page, taken back by the server, or ended with its connection. */
  readonly outcome: 'answered' | 'withdrawn' | 'lost';
  readonly action?: string;
  readonly ms: number;
}

/** The answer to an elicitation. */
export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The answer to a request for a sample; or that there shall be none. */
export type SampleAnswer =
  | {
      readonly role: 'assistant';
      readonly model: string;
      readonly content: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
      readonly stopReason?: string;
    }
  | { readonly refuse: string };
