import { nameMatcher } from '@ccmcp/core/groups';
import type { NameOptions } from './names.ts';
import type { ToolOverrideOptions } from './tool-overrides.ts';

/** The names that an upstream lists. */
export interface ListedNames {
  readonly tools: readonly string[];
  readonly prompts: readonly string[];
}

/** A warning for each name in the options that the upstream does not have, because it is probably misspelt. */
export function findUnknownNames(
  { allow = [], deny = [], rename = {}, describe = {}, args = {} }: NameOptions & ToolOverrideOptions,
  { tools, prompts }: ListedNames,
): string[] {
  const all = [...tools, ...prompts];
  const given: [option: string, names: readonly string[], known: readonly string[]][] = [
    ['allow', allow, all],
    ['deny', deny, all],
    ['rename', Object.keys(rename), all],
    ['describe', Object.keys(describe), tools],
    ['args', Object.keys(args), tools],
  ];
  return given.flatMap(([option, names, known]) =>
    names
      // "rename" takes no patterns.
      .filter((name) => (option === 'rename' ? !known.includes(name) : !known.some(nameMatcher(name))))
      .map((name) => {
        const what = known === tools ? 'no such tool' : 'no such tool or prompt';
        const subject = option === 'args' ? 'a fixed argument is for' : `"${option}" names`;
        return `${subject} ${JSON.stringify(name.slice(0, 100))}, and the upstream has ${what}`;
      }),
  );
}
