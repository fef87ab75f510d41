import type { JsonSchema } from './infer.ts';
import { partAt, segmentsOf } from './problems.ts';
import { decodeFragment } from './references.ts';

const mostHops = 8;

/**
 * The schema at a path that the validator reports, such as `#/properties/a/items`. Such a path runs through references
 * without naming them, so they are followed on the way. Undefined where that fails.
 */
export function schemaAt(root: JsonSchema, schemaPath: string): JsonSchema | boolean | undefined {
  let node: unknown = root;
  for (const segment of segmentsOf(schemaPath)) node = partAt(withReferred(root, node), [segment]);
  return typeof node === 'boolean' || isObject(node) ? node : undefined;
}

/** The same, together with what that schema refers to. */
export function wholeSchemaAt(root: JsonSchema, schemaPath: string): JsonSchema | undefined {
  const whole = withReferred(root, schemaAt(root, schemaPath));
  return isObject(whole) ? whole : undefined;
}

function withReferred(root: JsonSchema, node: unknown): unknown {
  let whole = node;
  let referring = node;
  for (let hop = 0; hop < mostHops; hop += 1) {
    const ref = partAt(referring, ['$ref']);
    if (typeof ref !== 'string' || !ref.startsWith('#')) return whole;
    referring = partAt(root, segmentsOf(decodeFragment(ref)));
    whole = { ...Object(referring), ...Object(whole) };
  }
  return whole;
}

function isObject(node: unknown): node is JsonSchema {
  return typeof node === 'object' && node !== null;
}
