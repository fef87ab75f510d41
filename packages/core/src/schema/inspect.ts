import type { JsonSchema } from './infer.ts';
import { type Applicator, applicators, isNames, isPattern, wantedInstead } from './keywords.ts';
import { pointerOf, quoted } from './problems.ts';
import { expansion, type Links, type Reference, resolveReference } from './references.ts';

const deepest = 64;
const mostSchemas = 10_000;
/** Up to this size, counted with every reference followed, a check is sure to be quick. */
const mostQuick = 500;

const dialects = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/;

/** What a validator has to know about a schema before it checks values with it. */
export interface Findings {
  /** A check may take long with some values, so it needs a time limit. */
  readonly costly: boolean;
  /** The schema names a property that every object inherits, such as `toString`. */
  readonly namesInherited: boolean;
}

interface Walk {
  readonly links: Map<JsonSchema, Links>;
  /** The roots of the document and of those embedded in it by their address, and anchors by `address#anchor`. */
  readonly targets: Map<string, JsonSchema>;
  readonly references: Reference[];
  count: number;
  costly: boolean;
  namesInherited: boolean;
}

interface Place {
  /** Where we are, as a pointer from the root. */
  readonly at: string;
  readonly depth: number;
  /** The address that references are relative to. */
  readonly base: string;
}

interface Entry {
  readonly schema: JsonSchema;
  readonly keyword: string;
  readonly value: unknown;
}

/** Looks once through a JSON Schema. Throws a `TypeError` if it is malformed, too large or has dangling references. */
export function inspectSchema(root: JsonSchema): Findings {
  const base = 'schema://root/';
  const walk: Walk = {
    links: new Map(),
    targets: new Map([[base, root]]),
    references: [],
    count: 0,
    costly: false,
    namesInherited: false,
  };
  visit(walk, root, { at: '#', depth: 1, base });
  if (walk.references.length > 0) followReferences(walk, root);
  return { costly: walk.costly || walk.count > mostQuick, namesInherited: walk.namesInherited };
}

function visit(walk: Walk, schema: JsonSchema, place: Place): void {
  if (place.depth > deepest) throw new TypeError(`it is nested deeper than ${deepest} levels`);
  // Counted by place, not by object: a schema put together in code may have one object in many places, or in itself.
  walk.count += 1;
  if (walk.count > mostSchemas) throw new TypeError(`it has more than ${mostSchemas} subschemas`);
  const links: Links = { inPlace: [], inside: [] };
  walk.links.set(schema, links);
  const base = enter(walk, schema, place);
  const inside = base === place.base ? place : { at: place.at, depth: place.depth, base };
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (value === undefined) continue;
    const applicator = applicators.get(keyword);
    if (applicator === undefined) readKeyword(walk, { schema, keyword, value }, inside);
    else descend(walk, { schema, keyword, value, applicator, links }, inside);
  }
}

/** Takes note of the addresses that a schema gives itself, and returns the one that its references are relative to. */
function enter(walk: Walk, schema: JsonSchema, { at, base }: Place): string {
  const { $id, $anchor, $dynamicAnchor } = schema;
  let own = base;
  if (typeof $id === 'string') {
    if (!URL.canParse($id, base)) throw malformed(`${at}/$id`, $id, 'an address');
    const address = new URL($id, base);
    const { hash } = address;
    address.hash = '';
    // In draft-07 an $id that is only a fragment is what later became $anchor.
    if (hash.length > 1) walk.targets.set(`${address.href}${hash}`, schema);
    else walk.targets.set((own = address.href), schema);
  }
  if (typeof $anchor === 'string') walk.targets.set(`${own}#${$anchor}`, schema);
  if (typeof $dynamicAnchor === 'string') walk.targets.set(`${own}#${$dynamicAnchor}`, schema);
  return own;
}

function readKeyword(walk: Walk, { schema, keyword, value }: Entry, { at, base }: Place): void {
  const wanted = wantedInstead(keyword, value);
  if (wanted !== undefined) throw malformed(`${at}/${keyword}`, value, wanted);
  switch (keyword) {
    case '$schema':
      assertDialect(String(value));
      break;
    case '$dynamicRef':
    case '$recursiveRef':
      walk.costly = true;
      walk.references.push({ from: schema, ref: String(value), base, at });
      break;
    case '$ref':
      walk.references.push({ from: schema, ref: String(value), base, at });
      break;
    case 'pattern':
      walk.costly = true;
      break;
    case 'uniqueItems':
      walk.costly ||= value === true;
      break;
    case 'required':
      noteNames(walk, value as string[]);
      break;
  }
}

function assertDialect(dialect: string): void {
  if (dialects.test(dialect)) return;
  throw new TypeError(
    `its dialect ${quoted(dialect)} is not supported: use https://json-schema.org/draft/2020-12/schema ` +
      '(the default) or http://json-schema.org/draft-07/schema#',
  );
}

function descend(walk: Walk, entry: Entry & { applicator: Applicator; links: Links }, place: Place): void {
  const { keyword, value, applicator, links } = entry;
  const at = `${place.at}/${keyword}`;
  const children = childrenOf(value, applicator, at);
  if (keyword === 'properties') noteNames(walk, Object.keys(Object(value)));
  if (keyword === 'patternProperties') {
    walk.costly = true;
    const broken = Object.keys(Object(value)).find((pattern) => !isPattern(pattern));
    if (broken !== undefined) throw malformed(at, broken, 'named by regular expressions');
  }
  for (const [step, child] of children) {
    if (typeof child === 'boolean') continue;
    if (applicator.applies === 'in place') links.inPlace.push(child);
    if (applicator.applies === 'inside') links.inside.push(child);
    visit(walk, child, { at: at + step, depth: place.depth + 1, base: place.base });
  }
}

const wantedChildren: Record<Applicator['holds'], string> = {
  schema: 'a schema (an object, true or false)',
  list: 'a list of schemas',
  map: 'an object of schemas',
  'schema or list': 'a schema or a list of schemas',
  'map of schemas or names': 'an object of schemas or lists of property names',
};

type Child = [step: string, schema: JsonSchema | boolean];

function childrenOf(value: unknown, { holds }: Applicator, at: string): Child[] {
  if (holds.startsWith('schema') && isSchema(value)) return [['', value]];
  if (holds.endsWith('list') && Array.isArray(value)) {
    return value.map((child, index) => asChild(at, `/${index}`, child));
  }
  if (holds.startsWith('map') && isSchema(value) && typeof value === 'object') {
    return Object.entries(value)
      .filter(([, child]) => !(holds === 'map of schemas or names' && isNames(child)))
      .map(([name, child]) => asChild(at, pointerOf([name]), child));
  }
  throw malformed(at, value, wantedChildren[holds]);
}

function asChild(at: string, step: string, child: unknown): Child {
  if (isSchema(child)) return [step, child];
  throw malformed(at + step, child, wantedChildren.schema);
}

function isSchema(value: unknown): value is JsonSchema | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

function noteNames(walk: Walk, names: readonly string[]): void {
  walk.namesInherited ||= names.some((name) => name in Object.prototype);
}

function followReferences(walk: Walk, root: JsonSchema): void {
  for (const reference of walk.references) {
    const target = resolveReference(reference, walk.targets);
    if (!isSchema(target)) throw malformed(`${reference.at}/$ref`, reference.ref, 'a reference to a schema');
    if (typeof target === 'boolean') continue;
    // What stands under a keyword that the walk doesn't know has not been visited before.
    if (!walk.links.has(target)) visit(walk, target, { at: reference.ref, depth: 1, base: reference.base });
    walk.links.get(reference.from)?.inPlace.push(target);
  }
  const schemas = [...walk.links.keys()];
  const inPlace = (schema: JsonSchema): readonly JsonSchema[] => walk.links.get(schema)?.inPlace ?? [];
  const inside = (schema: JsonSchema): readonly JsonSchema[] => walk.links.get(schema)?.inside ?? [];
  if (expansion(root, schemas, inPlace) === Infinity) {
    throw new TypeError('it has references that lead back to themselves, so that no check would ever end');
  }
  walk.costly ||= expansion(root, schemas, (schema) => [...inPlace(schema), ...inside(schema)]) > mostQuick;
}

function malformed(at: string, value: unknown, wanted: string): TypeError {
  const shown = typeof value === 'string' ? quoted(value) : (JSON.stringify(value) ?? typeof value).slice(0, 80);
  return new TypeError(`it is not valid JSON Schema: ${at} must be ${wanted}, and is ${shown}`);
}
