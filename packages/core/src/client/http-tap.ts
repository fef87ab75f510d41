/**
 * Sees every HTTP request of a client as it is sent, and what comes back: for tools that show it to people. What it sees has all its
 * secrets. Each of its functions is called on the way of a request, so it must be quick, and must not throw.
 */
export interface HttpTap {
  /** A request is about to be sent. Gives who sees what becomes of it; undefined where nobody wants to. */
  request(sent: TappedRequest): HttpWatch | undefined;
}

/** A request as it is sent. */
export interface TappedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** What it is for: messages of the protocol, or getting a token. */
  readonly about: 'messages' | 'sign-in';
}

/** Sees what becomes of one request. */
export interface HttpWatch {
  /** Where it is there, the request is sent when it resolves, and is not sent where it rejects. */
  readonly ready?: Promise<void>;
  /** The answer has begun. */
  response(head: TappedResponse): void;
  /** A part of the answer's body came. */
  data(part: string | Uint8Array): void;
  /** It is over: the body has been read, or nobody wants the rest; with an error where that is why. */
  end(error?: unknown): void;
}

/** The head of an answer. */
export interface TappedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}
