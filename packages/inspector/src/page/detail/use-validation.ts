import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../shared/calls.ts';
import type { Json } from '../form/json.ts';
import { ask } from '../model/api.ts';

// Long enough not to ask at each key of a quick hand.
const pause = 150;

/** What is wrong with a value. */
export interface Checked {
  readonly problems: readonly Problem[];
  /** How many of them are known to be there still. */
  readonly obstacles: number;
}

/** What is wrong with a value, in the words of the server side; asked for again when it changes. */
export function useProblems(schema: unknown, value: Json | undefined): Checked {
  const [{ problems, of }, setFound] = useState<{ problems: readonly Problem[]; of?: Json | undefined }>({
    problems: [],
  });
  useEffect(() => {
    if (schema === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      check(schema, value)
        .then((found) => isCurrent && setFound({ problems: found, of: value }))
        // Without a check the server itself will say what is wrong.
        .catch(() => isCurrent && setFound({ problems: [] }));
    }, pause);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [schema, value]);
  // What was wrong before the last key holds nobody up.
  return { problems, obstacles: of === value ? problems.length : 0 };
}

async function check(schema: unknown, value: Json | undefined): Promise<readonly Problem[]> {
  const found = await ask('check', { schema, value: value ?? {} });
  return 'problems' in found ? found.problems : [];
}

/** Problems by the place where they are shown. */
export function byPlace(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { path, says } of problems) places.set(path, [...(places.get(path) ?? []), says]);
  return places;
}
