/** Identifies a session: that of a connection, or one in a recording. */
export interface SessionName {
  /** Label of its connection; empty: the first connection of the recording. */
  readonly label: string;
  /** The recording that contains it; absent for a live session. */
  readonly file?: string | undefined;
}

/** Encodes a session for the URL. */
export function formatSession({ label, file }: SessionName): string {
  const steps = file === undefined ? [label] : [label, file];
  return steps.map(encodeURIComponent).join('@');
}

/** Decodes a session from the URL. */
export function parseSession(text: string): SessionName | undefined {
  if (text === '') return undefined;
  const [label = '', file] = text.split('@').map(decodeURIComponent);
  return { label, file };
}

/** Encodes two sessions for the URL; an unselected one is empty. */
export function formatPair(before: SessionName | undefined, after: SessionName | undefined): string {
  return [before, after].map((name) => (name === undefined ? '' : formatSession(name))).join(',');
}

/** Decodes two sessions from the URL. */
export function parsePair(text: string): readonly [before: SessionName | undefined, after: SessionName | undefined] {
  const [before = '', after = ''] = text.split(',');
  try {
    return [parseSession(before), parseSession(after)];
  } catch {
    return [undefined, undefined];
  }
}
