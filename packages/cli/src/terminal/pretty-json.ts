import type { PrintPiece, Style } from './print.ts';

/** Deeper JSON is printed unchanged. */
const maxDepth = 64;
/** Longer JSON is printed unchanged: a terminal takes long to show it. */
const maxLength = 1_000_000;

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Formats JSON with a line for each member, in colours; undefined for other values and for JSON that is too long or too
 * deep. Works on the text, not on the parsed value, so that long numbers and duplicate members are preserved.
 */
export function prettyJson(source: string): PrintPiece[][] | undefined {
  const text = source.trim();
  if (!/^[{[]/.test(text) || text.length > maxLength || !isJson(text)) return undefined;
  const found = text.match(tokens) ?? [];
  const page = new Page();
  for (const [index, token] of found.entries()) {
    if (!page.put(token, found[index + 1])) return undefined;
  }
  return page.lines;
}

class Page {
  readonly lines: PrintPiece[][] = [[]];
  #depth = 0;
  #empty = false;

  /** False above the maximum depth. */
  put(token: string, next: string | undefined): boolean {
    switch (token) {
      case '{':
      case '[':
        this.#add(token);
        this.#empty = next === '}' || next === ']';
        this.#depth += 1;
        if (!this.#empty) this.#line();
        return this.#depth <= maxDepth;
      case '}':
      case ']':
        this.#depth -= 1;
        if (!this.#empty) this.#line();
        this.#empty = false;
        this.#add(token);
        return true;
      case ',':
        this.#add(token);
        this.#line();
        return true;
      case ':':
        this.#add(': ');
        return true;
      default:
        this.#add(token, next === ':' ? 'cyan' : styleOf(token));
        return true;
    }
  }

  #line(): void {
    this.lines.push([{ text: '  '.repeat(this.#depth) }]);
  }

  #add(text: string, style?: Style): void {
    this.lines.at(-1)?.push({ text, style });
  }
}

function styleOf(token: string): Style {
  if (token.startsWith('"')) return 'green';
  return /^[tfn]/.test(token) ? 'magenta' : 'yellow';
}

/** Whether a text is strict JSON, without comments and other extensions. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
