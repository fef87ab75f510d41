/** Names and values as they were sent, in order; secrets are masked. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** Whom an exchange belongs to; at least one of them. */
export interface ExchangeOwner {
  readonly connection?: string;
  readonly call?: string;
  /** A question for whose answer a model is asked. */
  readonly question?: string;
  readonly doctor?: string;
  readonly flow?: string;
}

/** An HTTP request was sent. */
export interface HttpRequest extends ExchangeOwner {
  readonly exchange: string;
  readonly method: string;
  /** Without secrets. */
  readonly url: string;
  readonly headers: Headers;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** The body, secrets masked. Absent where it is a message, which has an event of its own. */
  readonly body?: string;
}

/** The head of its answer came. */
export interface HttpResponse {
  readonly exchange: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** How long the server took to begin its answer. */
  readonly ms: number;
}

/** The exchange is over. */
export interface HttpEnd {
  readonly exchange: string;
  readonly ms: number;
  /** The length of the answer's body in bytes. */
  readonly bytes: number;
  /** The beginning of the answer's body, secrets masked. Absent where it was messages, which have events of their own. */
  readonly body?: string;
  readonly cut?: true;
  /** Why there was no answer, or no whole one. */
  readonly error?: string;
}
