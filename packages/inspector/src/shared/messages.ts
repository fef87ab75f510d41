/**
 * A message as it passed. Texts longer than `previewCharacters` are cut; the whole is got by `GET api/messages/N`, where N is the
 * number of this event. In a recording they are whole.
 */
export interface SeenMessage {
  readonly connection: string;
  readonly from: 'client' | 'server';
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'broken';
  /** The id on the wire: of the request, also where this answers it. */
  readonly id?: string | number;
  /** The method: of the request, also where this answers it. */
  readonly method?: string;
  /** What it is about: the name of a tool or prompt, the address of a resource. */
  readonly subject?: string;
  /** The call that it belongs to: its request and answer, and progress, logs, questions and their answers in between. */
  readonly call?: string;
  /** The event of the request that this answers. */
  readonly answers?: number;
  /** How long that took. */
  readonly ms?: number;
  /** The length of the message as JSON, in bytes. */
  readonly bytes: number;
  /** The message as JSON, secrets masked. */
  readonly text: string;
  readonly cut?: true;
  /** The HTTP exchange that carried it. */
  readonly exchange?: string;
}

/** What the server said for its log. */
export interface ServerLog {
  readonly connection: string;
  readonly call?: string;
  readonly level: string;
  readonly logger?: string;
  /** A text as it is, anything else as JSON; cut where it is long, and whole in its message. */
  readonly data: string;
}

/** What a started server wrote to stderr. */
export interface ServerOutput {
  readonly connection: string;
  readonly text: string;
}
