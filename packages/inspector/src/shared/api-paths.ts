/**
 * API paths, relative to the page. All but the page's own files require `Authorization: Bearer TOKEN`; the token is in the fragment of
 * the opened URL, `#token=…`.
 */
export const apiPaths = {
  /** Server-sent events, after `hello`. `?after=RUN.N` or `Last-Event-ID` resumes after that event. */
  events: 'api/events',
  /** Requests of `requests.ts`, by POST. */
  request: (name: string): string => `api/${name}`,
  /** Full text of an event, such as a message: `{ text, truncated? }`. */
  message: (n: number): string => `api/messages/${n}`,
  /** `FullCall`: full params and result. */
  call: (id: string): string => `api/calls/${encodeURIComponent(id)}`,
  /** `ListEntries`. */
  list: (connection: string, kind: string, version?: number): string =>
    `api/lists/${encodeURIComponent(connection)}/${kind}${version === undefined ? '' : `?version=${version}`}`,
  /** All stored HTTP exchanges, as HAR. */
  har: 'api/har',
  /** Events of one connection, as a recording. */
  session: (connection: string): string => `api/sessions/${encodeURIComponent(connection)}`,
  /** A recording, as JSON lines. */
  recording: (file: string): string => `api/recordings/${encodeURIComponent(file)}`,
} as const;

/** Response of `GET api/calls/CALL`. */
export interface FullCall {
  readonly connection: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  /** Why the result is missing: it was too large to store, or evicted. */
  readonly missing?: 'too-large' | 'evicted';
}

/** Length of a text preview in an event, in characters. */
export const previewCharacters = 1000;

/** Maximum length of a result inside the event of its call, in characters of JSON. */
export const maxInlineResult = 16_384;
