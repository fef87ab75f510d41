import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../shared/calls.ts';
import type { Json } from '../form/json.ts';
import { request } from '../model/api.ts';

// Debounces validation while typing.
const debounceMs = 150;

/** Validation state of a value. */
export interface ValidationState {
  readonly problems: readonly Problem[];
  /** Number of problems of the current value; 0 while it is being validated. */
  readonly currentProblems: number;
}

/** Validates a value on the inspector server whenever it changes. */
export function useValidation(schema: unknown, value: Json | undefined): ValidationState {
  const [{ problems, of }, setFound] = useState<{ problems: readonly Problem[]; of?: Json | undefined }>({
    problems: [],
  });
  useEffect(() => {
    if (schema === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      check(schema, value)
        .then((found) => isCurrent && setFound({ problems: found, of: value }))
        // Without validation the server itself reports problems.
        .catch(() => isCurrent && setFound({ problems: [] }));
    }, debounceMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [schema, value]);
  // Problems of an older value must not block the call.
  return { problems, currentProblems: of === value ? problems.length : 0 };
}

async function check(schema: unknown, value: Json | undefined): Promise<readonly Problem[]> {
  const found = await request('check', { schema, value: value ?? {} });
  return 'problems' in found ? found.problems : [];
}

/** Groups problems by path. */
export function groupByPath(problems: readonly Problem[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const { path, says } of problems) places.set(path, [...(places.get(path) ?? []), says]);
  return places;
}
