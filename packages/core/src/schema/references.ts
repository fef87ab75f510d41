import type { JsonSchema } from './infer.ts';
import { partAt, quoted, segmentsOf } from './problems.ts';

/** A `$ref` as it stands in a schema. */
export interface Reference {
  readonly from: JsonSchema;
  readonly ref: string;
  /** The address that it is relative to. */
  readonly base: string;
  /** Where it stands, as a pointer from the root. */
  readonly at: string;
}

/** What a reference leads to. It must be in the same document: nothing is ever fetched. */
export function resolveReference(reference: Reference, targets: ReadonlyMap<string, JsonSchema>): unknown {
  const { ref, base, at } = reference;
  const [, document = '', fragment = ''] = /^([^#]*)#?(.*)$/s.exec(ref) ?? [];
  const address = document === '' ? base : addressOf(document, base);
  const root = targets.get(address);
  if (root === undefined) {
    throw new TypeError(
      `${at}/$ref leads to another document, ${quoted(ref)}, and those are not fetched: ` +
        'copy what is needed into $defs and refer to it as "#/$defs/…"',
    );
  }
  if (fragment === '') return root;
  const target = fragment.startsWith('/')
    ? partAt(root, segmentsOf(decodeFragment(fragment)))
    : targets.get(`${address}#${decodeFragment(fragment)}`);
  if (target === undefined) throw new TypeError(`${at}/$ref leads to ${quoted(ref)}, which is not there`);
  return target;
}

function addressOf(document: string, base: string): string {
  return URL.canParse(document, base) ? new URL(document, base).href : document;
}

/** The text of a fragment, which may be percent-encoded. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** The schemas that a schema hands the value on to: the same value, or parts of it. */
export interface Links {
  readonly inPlace: JsonSchema[];
  readonly inside: JsonSchema[];
}

/**
 * How many schemas a check has to look at when it starts at `root` and takes every way: few for a tree, exponentially
 * many where references fork again and again, `Infinity` where ways lead back to where they came from.
 */
export function expansion(
  root: JsonSchema,
  schemas: readonly JsonSchema[],
  waysFrom: (schema: JsonSchema) => readonly JsonSchema[],
): number {
  const incoming = new Map<JsonSchema, number>();
  for (const target of schemas.flatMap(waysFrom)) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  const order = schemas.filter((schema) => !incoming.has(schema));
  for (const schema of order) {
    for (const target of waysFrom(schema)) {
      const left = (incoming.get(target) ?? 0) - 1;
      incoming.set(target, left);
      if (left === 0) order.push(target);
    }
  }
  if (order.length < schemas.length) return Infinity;
  const sizes = new Map<JsonSchema, number>();
  for (const schema of order.reverse()) {
    sizes.set(
      schema,
      waysFrom(schema).reduce((sum, part) => sum + (sizes.get(part) ?? 0), 1),
    );
  }
  return sizes.get(root) ?? Infinity;
}
