/** A call that is to be made elsewhere. */
export interface CopiedCall {
  /** Absent where it has not been made here. */
  readonly id?: string;
  readonly connection: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  /** The revision that was spoken, where that is known. */
  readonly revision?: string | undefined;
  /** What a tool takes, where that is known. */
  readonly inputSchema?: unknown;
}

/** A word as it is typed in a shell: in quotes where it would be taken for something else. */
export function quotedWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : literal(word);
}

/** A text as a shell takes it, whatever is in it. */
export function literal(text: string): string {
  return unseen.test(text) ? `$'${spelled(text)}'` : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a terminal takes for keys that are pressed, quotes or not, and what makes a line look like another one. */
const unseen = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/u;

function spelled(text: string): string {
  const bytes = (each: string): string =>
    Array.from(Buffer.from(each), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return text.replaceAll(/['\\]/g, '\\$&').replaceAll(new RegExp(unseen, 'gu'), bytes);
}

/** A header whose value is a secret, as a word of a shell: a variable stands in its place. */
export function withVariable(name: string, before = '', after = ''): string {
  const variable = /^authorization$/i.test(name) ? 'TOKEN' : name.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_');
  // What a server named must not become a part of a shell's line.
  const plain = /^[\w .:=;-]*$/.test(before + after + name);
  return plain ? `"${name}: ${before}$${variable}${after}"` : literal(`${name}: $${variable}`);
}
