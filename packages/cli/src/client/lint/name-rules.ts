import type { Problem, Rule } from './finding.ts';
import { wordsOf } from './words.ts';

/** Longer names are rejected by the interfaces of common models. */
const maxLength = 64;

export const nameDuplicate: Rule = {
  id: 'name-duplicate',
  severity: 'error',
  about: 'two tools have the same name',
  advice: 'Give each tool a name of its own: only one of them can be called.',
  *check({ tools }) {
    const seen = new Set<string>();
    for (const { name, server = '' } of tools) {
      const key = JSON.stringify([server, name]);
      if (seen.has(key)) yield { tool: name, path: 'name', message: 'another tool has the same name' };
      seen.add(key);
    }
  },
};

export const nameSimilar: Rule = {
  id: 'name-similar',
  severity: 'warning',
  about: 'two names differ only in case, separators, or a plural',
  advice: 'Let the names say how the tools differ.',
  *check({ tools }) {
    const seen = new Map<string, string>();
    for (const { name } of tools) {
      const key = wordsOf(name)
        .map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
        .join(' ');
      const other = seen.get(key);
      if (other !== undefined && other !== name)
        yield { tool: name, path: 'name', message: `the name is nearly "${other}"` };
      else seen.set(key, name);
    }
  },
};

export const nameLength: Rule = {
  id: 'name-length',
  severity: 'warning',
  about: `a name has more than ${maxLength} characters`,
  advice: `Shorten it to ${maxLength} characters, with room for a prefix that clients put in front.`,
  *check({ tools }) {
    for (const { name } of tools) {
      if (name.length > maxLength)
        yield { tool: name, path: 'name', message: `the name has ${name.length} characters` };
    }
  },
};

export const nameCharacters: Rule = {
  id: 'name-characters',
  severity: 'error',
  about: 'a name is empty, or has characters that the specification does not allow',
  advice: 'Use ASCII letters, digits, "_" and "-".',
  check: ({ tools }) =>
    namesWithout(tools, /^[A-Za-z0-9_.-]+$/, 'the name has other characters than letters, digits, "_", "-" and "."'),
};

export const namePortable: Rule = {
  id: 'name-dot',
  severity: 'hint',
  about: 'a name has a dot, which many clients replace or reject',
  advice: 'Write "_" or "-" instead.',
  *check({ tools }) {
    for (const { name } of tools)
      if (name.includes('.')) yield { tool: name, path: 'name', message: 'the name has a dot' };
  },
};

function* namesWithout(tools: readonly { name: string }[], pattern: RegExp, message: string): Iterable<Problem> {
  for (const { name } of tools) if (!pattern.test(name)) yield { tool: name, path: 'name', message };
}
