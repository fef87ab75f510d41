/** Names a session: that of a connection, or one in a recording. */
export interface SessionName {
  /** The label of its connection; empty: the first of the recording. */
  readonly label: string;
  /** The recording that it is in; absent: it goes on now. */
  readonly file?: string | undefined;
}

/** A name as a text, as it stands in addresses. */
export function sessionText({ label, file }: SessionName): string {
  const steps = file === undefined ? [label] : [label, file];
  return steps.map(encodeURIComponent).join('@');
}

/** The session that a text names. */
export function sessionNamed(text: string): SessionName | undefined {
  if (text === '') return undefined;
  const [label = '', file] = text.split('@').map(decodeURIComponent);
  return { label, file };
}

/** Two sessions as they stand in the address; what is not chosen yet is empty. */
export function pairText(before: SessionName | undefined, after: SessionName | undefined): string {
  return [before, after].map((name) => (name === undefined ? '' : sessionText(name))).join(',');
}

/** The two sessions that the address names. */
export function pairNamed(text: string): readonly [before: SessionName | undefined, after: SessionName | undefined] {
  const [before = '', after = ''] = text.split(',');
  try {
    return [sessionNamed(before), sessionNamed(after)];
  } catch {
    return [undefined, undefined];
  }
}
