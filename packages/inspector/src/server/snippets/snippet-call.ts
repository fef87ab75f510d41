/** A call to format as a snippet. */
export interface SnippetCall {
  /** Absent if it was not made here. */
  readonly id?: string;
  readonly connection: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  /** The negotiated revision, if known. */
  readonly revision?: string | undefined;
  /** Input schema of the tool, if known. */
  readonly inputSchema?: unknown;
}

/** Quotes a shell word if needed. */
export function quoteWord(word: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word) ? word : quoteText(word);
}

/** Quotes any text for a shell. */
export function quoteText(text: string): string {
  return unsafeInShell.test(text) ? `$'${escapeBytes(text)}'` : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Characters that a terminal interprets even in quotes, or that disguise a line. */
const unsafeInShell = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/u;

function escapeBytes(text: string): string {
  const bytes = (each: string): string =>
    Array.from(Buffer.from(each), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return text.replaceAll(/['\\]/g, '\\$&').replaceAll(new RegExp(unsafeInShell, 'gu'), bytes);
}

/** Formats a secret header as a shell word, with a variable as its value. */
export function headerWithVariable(name: string, before = '', after = ''): string {
  const variable = /^authorization$/i.test(name) ? 'TOKEN' : name.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_');
  // Untrusted names must not inject shell code.
  const plain = /^[\w .:=;-]*$/.test(before + after + name);
  return plain ? `"${name}: ${before}$${variable}${after}"` : quoteText(`${name}: $${variable}`);
}
