import { findSuspicious, type Suspicion } from '@ccmcp/core/contracts';
import type { Listing, Problem, Rule } from './finding.ts';

export const hiddenCharacters: Rule = {
  id: 'hidden-characters',
  severity: 'error',
  about: 'a text has control, bidirectional or invisible characters, which may hide instructions from people',
  advice: 'Take them out, or find out who put them there.',
  check: (listing) => findProblems(listing, ({ reason }) => reason === 'hidden-characters'),
};

export const suspiciousText: Rule = {
  id: 'suspicious-text',
  severity: 'warning',
  about:
    'a text tries to steer the model: it gives instructions, asks for private data, or hides something from the user',
  advice: 'Say what the tool does, and leave out what is for another tool, for the model or against the user.',
  check: (listing) => findProblems(listing, ({ reason }) => !others.has(reason)),
};

/** Reasons that other rules report. */
const others: ReadonlySet<string> = new Set(['hidden-characters', 'annotation']);

/** The first suspicious text of each tool, and of the instructions. */
function* findProblems({ tools, instructions }: Listing, isWanted: (found: Suspicion) => boolean): Iterable<Problem> {
  if (instructions !== undefined) {
    const found = findSuspicious({ name: 'instructions', description: instructions }).find(isWanted);
    if (found !== undefined) yield { path: 'instructions', message: found.text };
  }
  const otherTools = tools.map(({ name }) => name);
  for (const tool of tools) {
    const found = findSuspicious(tool, { otherTools }).find(isWanted);
    if (found !== undefined) yield { tool: tool.name, path: formatPath(found.path), message: found.text };
  }
}

/** Writes a JSON Pointer as the other rules write paths. */
function formatPath(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}
