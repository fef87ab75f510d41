import type { Note } from './note.ts';
import { NotesError } from './notes-error.ts';

const fence = '---';

/** Writes a note as Markdown with its facts in front. The values are JSON, which YAML readers understand too. */
export function toMarkdown({ id, title, tags, created_at, updated_at, content }: Note): string {
  const facts = { id, title, tags, created_at, updated_at };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [fence, ...lines, fence, content].join('\n');
}

/** What a Markdown file says of a note. */
export interface Parsed extends Partial<Omit<Note, 'id'>> {
  content: string;
}

/** Reads a Markdown file, of ours or of anyone: with facts in front, or without. */
export function fromMarkdown(text: string): Parsed {
  const front = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (front === null) return withHeading({ content: text });
  const facts = readFacts(front[1] ?? '');
  const { title, tags, created_at, updated_at } = facts;
  return withHeading({
    ...(typeof title === 'string' && { title }),
    ...(tags !== undefined && { tags: toTags(tags) }),
    ...(typeof created_at === 'string' && { created_at }),
    ...(typeof updated_at === 'string' && { updated_at }),
    content: text.slice(front[0].length),
  });
}

function withHeading(parsed: Parsed): Parsed {
  const heading = /(?:^|\n)#[ \t]+(\S[^\r\n]*)/.exec(parsed.content)?.[1]?.trim();
  return parsed.title === undefined && heading !== undefined ? { ...parsed, title: heading } : parsed;
}

/** Reads the lines `name: value`, and lists below a name as `- value`. U+2028 and U+2029 end no line here. */
function readFacts(text: string): Record<string, unknown> {
  const facts = new Map<string, unknown>();
  let list: unknown[] = [];
  for (const line of text.split(/\r?\n/)) {
    const item = /^\s*-\s+(.*)$/s.exec(line)?.[1];
    if (item !== undefined) {
      list.push(bare(item));
      continue;
    }
    const [, name, value] = /^([\w-]+):\s*(.*)$/s.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    list = [];
    facts.set(name, value === '' ? list : readValue(value));
  }
  return Object.fromEntries(facts);
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

/** Tags as JSON are taken as they are; those of other programs come with all kinds of marks. */
function toTags(tags: unknown): string[] {
  if (Array.isArray(tags)) {
    if (tags.some((tag) => typeof tag === 'object'))
      throw new NotesError('invalid', 'has tags that are no list of texts');
    return tags.map(String);
  }
  return String(tags)
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map(bare)
    .filter(Boolean);
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/^#/, '');
}
