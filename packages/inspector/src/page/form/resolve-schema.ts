import { isRecord, parsePointer, recordOrEmpty, type Schema } from '../../shared/json.ts';

// A schema that refers to itself stays unresolved after this many steps.
const maxSteps = 200;

/** Resolves `$ref` and `allOf` at the top of a schema. */
export function resolveSchema(schema: unknown, root: unknown, steps: Budget = createBudget(maxSteps)): Schema {
  if (!isRecord(schema)) return {};
  if (!spendBudget(steps)) return schema;
  const { $ref, allOf, ...own } = schema;
  const parts = [...(typeof $ref === 'string' ? [resolveRef($ref, root)] : []), ...(Array.isArray(allOf) ? allOf : [])];
  return [...parts.map((part) => resolveSchema(part, root, steps)), own].reduce(mergeSchemas);
}

function resolveRef($ref: string, root: unknown): unknown {
  if ($ref === '#') return root;
  if (!$ref.startsWith('#')) return undefined;
  if (!$ref.startsWith('#/')) return findAnchor($ref.slice(1), root);
  let found: unknown = root;
  for (const step of parsePointer(decodePointer($ref.slice(1)))) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

function decodePointer(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findAnchor(name: string, root: unknown): unknown {
  if (!isRecord(root)) return undefined;
  const definitions = { ...recordOrEmpty(root.$defs), ...recordOrEmpty(root.definitions) };
  return Object.values(definitions).find((each) => isRecord(each) && each.$anchor === name);
}

/** Merges two schemas; the second wins. */
function mergeSchemas(first: Schema, second: Schema): Schema {
  const result: Record<string, unknown> = { ...first, ...second };
  if (isRecord(first.properties) && isRecord(second.properties)) {
    result.properties = { ...first.properties, ...second.properties };
  }
  if (Array.isArray(first.required) && Array.isArray(second.required)) {
    result.required = [...new Set<unknown>([...first.required, ...second.required])];
  }
  return result;
}

/** Remaining work on a schema, which may be endless by design. */
export interface Budget {
  left: number;
}

/** Creates a budget. */
export function createBudget(most: number): Budget {
  return { left: most };
}

/** Spends some of the budget; false if it is exhausted. */
export function spendBudget(on: Budget, amount = 1): boolean {
  on.left -= amount;
  return on.left >= 0;
}
