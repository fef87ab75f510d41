import type { IndexedTool } from '@ccmcp/core/tool-search';
import type { Rule } from './finding.ts';
import { wordsOf } from './words.ts';

const readVerbs = new Set('get list read search find show fetch lookup query describe count view'.split(' '));
const deleteVerbs = new Set('delete remove drop destroy erase purge wipe truncate'.split(' '));

export const annotationReadOnly: Rule = {
  id: 'annotation-read-only',
  severity: 'hint',
  about: 'the name says that a tool reads, and "readOnlyHint" is missing',
  advice: 'Set "readOnlyHint": true if it changes nothing: clients then ask the user less often.',
  *check({ tools }) {
    for (const tool of tools) {
      if (readVerbs.has(verbOf(tool)) && hintOf(tool, 'readOnlyHint') === undefined)
        yield {
          tool: tool.name,
          path: 'annotations.readOnlyHint',
          message: 'the name says that it reads, no annotation does',
        };
    }
  },
};

export const annotationDestructive: Rule = {
  id: 'annotation-destructive',
  severity: 'warning',
  about: 'the name says that a tool deletes, and "destructiveHint" is missing',
  advice: 'Set "destructiveHint": true, or false if it can be undone.',
  *check({ tools }) {
    for (const tool of tools) {
      if (deleteVerbs.has(verbOf(tool)) && hintOf(tool, 'destructiveHint') === undefined)
        yield {
          tool: tool.name,
          path: 'annotations.destructiveHint',
          message: 'the name says that it deletes, no annotation does',
        };
    }
  },
};

export const annotationContradiction: Rule = {
  id: 'annotation-contradiction',
  severity: 'error',
  about: 'a tool says that it only reads, but its name that it deletes, or "destructiveHint" that it destroys',
  advice: 'Correct the annotation: clients may call a tool that only reads without asking.',
  *check({ tools }) {
    for (const tool of tools) {
      const isDestructive = deleteVerbs.has(verbOf(tool)) || hintOf(tool, 'destructiveHint') === true;
      if (isDestructive && hintOf(tool, 'readOnlyHint') === true)
        yield {
          tool: tool.name,
          path: 'annotations.readOnlyHint',
          message: 'it says that it only reads, and that it deletes',
        };
    }
  },
};

/** The first word of a name, or the second after a prefix such as `github_`. */
function verbOf({ name }: IndexedTool): string {
  const [first = '', second = ''] = wordsOf(name);
  return readVerbs.has(first) || deleteVerbs.has(first) ? first : second;
}

function hintOf({ annotations }: IndexedTool, hint: 'readOnlyHint' | 'destructiveHint'): unknown {
  return (Object(annotations) as Record<string, unknown>)[hint];
}
