/** The format of recordings: the first line is a `RecordingHead`, each further line an event with its number. */
export const recordingFormat = 'ccmcp-recording';

/** The version of the format. */
export const recordingVersion = 1;

/** The first line of a recording; each further line is an event. */
export interface RecordingHead {
  readonly format: 'ccmcp-recording';
  readonly version: 1;
  /** Identifies the run that was recorded. */
  readonly run: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The version of the program that wrote it. */
  readonly inspector: string;
}

/** Who sent a message. */
export type RecordedSender = 'client' | 'server';

/** The event `message` of a recording: one message. */
export interface RecordedMessage {
  /** The connection that it belongs to. */
  readonly connection: string;
  readonly from: RecordedSender;
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'broken';
  /** JSON-RPC id; of a response, that of its request. */
  readonly id?: string | number;
  /** Method; of a response, that of its request. */
  readonly method?: string;
  /** Subject: name of a tool or prompt, URI of a resource. */
  readonly subject?: string;
  /** Number of the request's event, for a response. */
  readonly answers?: number;
  /** Size as JSON, in bytes. */
  readonly bytes: number;
  /** JSON, secrets masked. */
  readonly text: string;
  readonly truncated?: true;
  /** The HTTP exchange that carried it. */
  readonly exchange?: string;
}
