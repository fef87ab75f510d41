import type { Rule } from './finding.ts';

/** Characters that are invisible or change the display order; a model reads them as text. */
const hidden =
  /(?![\t\n\r])\p{Cc}|[\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E0FFF}]/u;

/** Maximum number of texts to check per tool. */
const maxTexts = 20_000;

export const hiddenCharacters: Rule = {
  id: 'hidden-characters',
  severity: 'error',
  about: 'a text has control, bidirectional or invisible characters, which may hide instructions from people',
  advice: 'Take them out, or find out who put them there.',
  *check({ tools, instructions }) {
    const found = hiddenIn(instructions, 'instructions');
    if (found !== undefined) yield found;
    for (const tool of tools) {
      const problem = hiddenIn(tool, '');
      if (problem !== undefined) yield { tool: tool.name, ...problem };
    }
  },
};

/** The path of the first text with such a character. */
function hiddenIn(root: unknown, at: string): { path: string; message: string } | undefined {
  const queue: { value: unknown; path: string }[] = [{ value: root, path: at }];
  for (const { value, path } of queue) {
    if (typeof value === 'string') {
      const character = hidden.exec(value)?.[0];
      if (character !== undefined) return { path, message: `there is a hidden character, ${codeOf(character)}` };
    } else if (typeof value === 'object' && value !== null && queue.length < maxTexts) {
      for (const [key, each] of Object.entries(value)) {
        const inside = path === '' ? key : `${path}.${key}`;
        queue.push({ value: key, path: inside }, { value: each, path: inside });
      }
    }
  }
  return undefined;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
