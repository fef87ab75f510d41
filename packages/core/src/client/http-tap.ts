/**
 * Sees every HTTP request and response of a client, secrets included: for debugging tools. It runs on the hot path, so
 * it must be quick, and must not throw.
 */
export interface HttpTap {
  /** Called before a request is sent. Returns a watch for this request, if wanted. */
  request(sent: TappedRequest): HttpWatch | undefined;
}

/** A request as it is sent. */
export interface TappedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The purpose: protocol messages, or getting a token. */
  readonly about: 'messages' | 'sign-in';
}

/** Sees the response to one request. */
export interface HttpWatch {
  /** If set, the request waits until it resolves, and is not sent if it rejects. */
  readonly ready?: Promise<void>;
  /** The response head arrived. */
  response(head: TappedResponse): void;
  /** A part of the body arrived. */
  data(part: string | Uint8Array): void;
  /** The body was read, or is not wanted any more; with an error if that is why. */
  end(error?: unknown): void;
}

/** The head of a response. */
export interface TappedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}
