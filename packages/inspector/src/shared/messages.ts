import type { MaskedHeaders, RecordedMessage } from '@ccmcp/core/recording';

/**
 * A logged message. Texts longer than `previewCharacters` are truncated; the full text is at `GET api/messages/N`, where N is the number
 * of this event. Recordings contain full texts.
 */
export interface LoggedMessage extends RecordedMessage {
  /** The call it belongs to: request, response, and progress, logs and questions in between. */
  readonly call?: string;
  /** Response time. */
  readonly ms?: number;
}

/** Log message of a server. */
export interface ServerLog {
  readonly connection: string;
  readonly call?: string;
  readonly level: string;
  readonly logger?: string;
  /** Text, or JSON of other data; truncated if long. */
  readonly data: string;
}

/** stderr output of a command. */
export interface ServerOutput {
  readonly connection: string;
  readonly text: string;
}

/** Headers as sent, in order; secrets masked. */
export type Headers = MaskedHeaders;

/** Owner of an exchange; at least one field is set. */
export interface ExchangeOwner {
  readonly connection?: string;
  readonly call?: string;
  /** Question that a model is asked to answer. */
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
  /** Body size in bytes. */
  readonly bytes: number;
  /** Body, secrets masked. Absent for messages, which have their own event. */
  readonly body?: string;
}

/** Response headers arrived. */
export interface HttpResponse {
  readonly exchange: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Time to the response headers. */
  readonly ms: number;
}

/** The exchange ended. */
export interface HttpEnd {
  readonly exchange: string;
  readonly ms: number;
  /** Size of the response body in bytes. */
  readonly bytes: number;
  /** Start of the response body, secrets masked. Absent for messages, which have their own events. */
  readonly body?: string;
  readonly truncated?: true;
  /** Why there is no response, or only a part of it. */
  readonly error?: string;
}
