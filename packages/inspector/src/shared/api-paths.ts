/**
 * Where the page finds things, relative to its own address. Every one of them but the page's own files wants the token, as
 * `Authorization: Bearer TOKEN`; the token comes in the fragment of the address that is opened, `#token=…`.
 */
export const addresses = {
  /** Events as server-sent events, after `hello`. `?after=RUN.N` or `Last-Event-ID`: those after that one. */
  events: 'api/events',
  /** The requests of `requests.ts`, by POST. */
  request: (name: string): string => `api/${name}`,
  /** The whole text that belongs to an event, such as a message: `{ text, cut? }`. */
  message: (n: number): string => `api/messages/${n}`,
  /** `WholeCall`: params and result whole. */
  call: (id: string): string => `api/calls/${encodeURIComponent(id)}`,
  /** `ListEntries`. */
  list: (connection: string, kind: string, version?: number): string =>
    `api/lists/${encodeURIComponent(connection)}/${kind}${version === undefined ? '' : `?version=${version}`}`,
  /** Everything of HTTP that is still known, as a HAR file. */
  har: 'api/har',
  /** What happened on one connection, as a recording. */
  session: (connection: string): string => `api/sessions/${encodeURIComponent(connection)}`,
  /** A recording, as lines of JSON. */
  recording: (file: string): string => `api/recordings/${encodeURIComponent(file)}`,
} as const;

/** What `GET api/calls/CALL` gives. */
export interface WholeCall {
  readonly connection: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  /** Why the result of a call that has one is not here: it was too large to be kept, or was given up for newer ones. */
  readonly missing?: 'too-large' | 'given-up';
}

/** How much of a text its event has, in characters. */
export const previewCharacters = 1000;

/** How long a result may be to stand in the event of its call, in characters of JSON. */
export const inlineResult = 16_384;
