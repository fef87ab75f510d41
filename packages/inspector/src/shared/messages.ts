/**
 * A logged message. Texts longer than `previewCharacters` are truncated; the full text is at `GET api/messages/N`, where N is the number
 * of this event. Recordings contain full texts.
 */
export interface LoggedMessage {
  readonly connection: string;
  readonly from: 'client' | 'server';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'broken';
  /** JSON-RPC id; of a response, that of its request. */
  readonly id?: string | number;
  /** Method; of a response, that of its request. */
  readonly method?: string;
  /** Subject: name of a tool or prompt, URI of a resource. */
  readonly subject?: string;
  /** The call it belongs to: request, response, and progress, logs and questions in between. */
  readonly call?: string;
  /** Number of the request's event, for a response. */
  readonly answers?: number;
  /** Response time. */
  readonly ms?: number;
  /** Size as JSON, in bytes. */
  readonly bytes: number;
  /** JSON, secrets masked. */
  readonly text: string;
  readonly cut?: true;
  /** The HTTP exchange that carried it. */
  readonly exchange?: string;
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
