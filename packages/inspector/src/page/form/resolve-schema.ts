import { isRecord, type Schema, stepsOf } from './json.ts';

// A schema that refers to itself again and again is left as it is after so many steps.
const mostSteps = 200;

/** A schema without `$ref` and `allOf` at its top: what they point to is laid together. */
export function resolved(schema: unknown, root: unknown, steps: Effort = effort(mostSteps)): Schema {
  if (!isRecord(schema)) return {};
  if (!spend(steps)) return schema;
  const { $ref, allOf, ...own } = schema;
  const parts = [...(typeof $ref === 'string' ? [target($ref, root)] : []), ...(Array.isArray(allOf) ? allOf : [])];
  return [...parts.map((part) => resolved(part, root, steps)), own].reduce(laidTogether);
}

function target($ref: string, root: unknown): unknown {
  if ($ref === '#') return root;
  if (!$ref.startsWith('#')) return undefined;
  if (!$ref.startsWith('#/')) return anchored($ref.slice(1), root);
  let found: unknown = root;
  for (const step of stepsOf(decoded($ref.slice(1)))) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function anchored(name: string, root: unknown): unknown {
  if (!isRecord(root)) return undefined;
  const places = { ...asRecord(root.$defs), ...asRecord(root.definitions) };
  return Object.values(places).find((each) => isRecord(each) && each.$anchor === name);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** What both schemas say; where both say the same thing differently, the second counts. */
function laidTogether(first: Schema, second: Schema): Schema {
  const result: Record<string, unknown> = { ...first, ...second };
  if (isRecord(first.properties) && isRecord(second.properties)) {
    result.properties = { ...first.properties, ...second.properties };
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    result.required = [...new Set<unknown>([...first.required, ...second.required])];
  }
  return result;
}

/** How much may still be done about a schema, which can be written so that there is no end to it. */
export interface Effort {
  left: number;
}

/** So much effort. */
export function effort(most: number): Effort {
  return { left: most };
}

/** Takes some of the effort; false where there is none left. */
export function spend(on: Effort, amount = 1): boolean {
  on.left -= amount;
  return on.left >= 0;
}
