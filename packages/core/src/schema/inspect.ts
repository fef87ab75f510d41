import type { JsonSchema } from './infer.ts';
import {
  type Applicator,
  type SchemaKeyword,
  isInherited,
  isNames,
  isPattern,
  isSchema,
  isSchemaObject,
  keywordOf,
  malformed,
  type Statement,
} from './keywords.ts';
import { exceeds } from '../jsonrpc/size.ts';
import { headerKeyword } from './mirrored-arguments.ts';
import { formatPointer, quoteShort } from './problems.ts';
import { addToGraph, expansion, graphOf, resolveReference } from './references.ts';
import { isSimpleSchema, maxDepth, maxListed, maxRepeated, maxUntimed } from './simple-schema.ts';

/** The maximum nesting depth of a schema as JSON, including defaults and other values. */
const maxValueDepth = 1000;
/** The maximum subschemas of a schema. */
const maxSchemas = 10_000;
/** The maximum fast regular expressions of a schema that is checked without a time limit. */
const maxPatterns = 50;

const dialects = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft-07)\/schema#?$/;

/** Properties of a schema that decide how values are validated. */
export interface Findings {
  /** Validation may take long for some values, so it needs a time limit. */
  readonly costly: boolean;
  /** It has regular expressions, which may be slow. */
  readonly patterned: boolean;
  /** It names a property that every object inherits, such as `toString`. */
  readonly namesInherited: boolean;
  /** It marks an argument to be mirrored in a header. */
  readonly marked: boolean;
}

const noFindings: Findings = { costly: false, patterned: false, namesInherited: false, marked: false };

interface Walk {
  /** The path to the current schema; only recorded on a second walk, after the first one failed. */
  readonly path: string[] | undefined;
  /** The start of the walk. */
  start: string;
  depth: number;
  count: number;
  /** Set if there are references or addresses. */
  linked: boolean;
  costly: boolean;
  patterns: number;
  /** Whether the current schema applies to many parts of a value, and the number of such schemas. */
  repeats: boolean;
  repeated: number;
  /** The number of property names and literal values. */
  listed: number;
  namesInherited: boolean;
  marked: boolean;
}

/** Inspects a JSON Schema. Throws a `TypeError` if it is malformed, too large or has dangling references. */
export function inspectSchema(root: JsonSchema): Findings {
  return isSimpleSchema(root) ? noFindings : inspectFully(root);
}

/** Inspects a JSON Schema without the fast path for simple schemas. */
export function inspectFully(root: JsonSchema): Findings {
  try {
    return inspect(root, undefined);
  } catch {
    return inspect(root, []);
  }
}

function inspect(root: JsonSchema, path: string[] | undefined): Findings {
  const walk: Walk = {
    path,
    start: '#',
    depth: 0,
    count: 0,
    linked: false,
    costly: false,
    patterns: 0,
    repeats: false,
    repeated: 0,
    listed: 0,
    namesInherited: false,
    marked: false,
  };
  visit(walk, root);
  if (exceeds(root, { length: Number.POSITIVE_INFINITY, depth: maxValueDepth })) {
    throw new TypeError(`a value in it is nested deeper than ${maxValueDepth} levels`);
  }
  if (walk.linked) followReferences(walk, root);
  const { namesInherited, marked } = walk;
  const patterned = walk.patterns > 0;
  const costly = walk.costly || isLarge(walk);
  return costly || patterned || namesInherited || marked ? { costly, patterned, namesInherited, marked } : noFindings;
}

function isLarge({ count, repeated, patterns, listed }: Walk): boolean {
  return count > maxUntimed || repeated > maxRepeated || patterns > maxPatterns || listed > maxListed;
}

function visit(walk: Walk, schema: JsonSchema): void {
  walk.depth += 1;
  if (walk.depth > maxDepth) throw new TypeError(`it is nested deeper than ${maxDepth} levels`);
  // Counts occurrences, not objects: a schema built in code may contain one object many times, or itself.
  walk.count += 1;
  if (walk.count > maxSchemas) throw new TypeError(`it has more than ${maxSchemas} subschemas`);
  if (walk.repeats) walk.repeated += 1;
  if ('~standard' in schema) throw foreignSchemaError(walk, schema);
  // Unlike `Object.keys`, this makes no garbage; what a schema inherits does no harm here.
  for (const keyword in schema) {
    const value = schema[keyword];
    if (value === undefined) continue;
    walk.path?.push(keyword);
    const known = keywordOf(keyword);
    if (known?.holds !== undefined) descend(walk, keyword, value, known as Applicator);
    else if (known !== undefined) read(walk, keyword, value, known as Statement);
    walk.path?.pop();
  }
  walk.depth -= 1;
}

function read(walk: Walk, keyword: string, value: unknown, { wanted, fits, analyzed }: Statement): void {
  if (!fits(value)) throw misplacedError(walk, value, wanted);
  if (!analyzed) return;
  switch (keyword) {
    case '$schema':
      assertDialect(String(value));
      break;
    case '$dynamicRef':
    case '$recursiveRef':
      walk.costly = true;
      walk.linked = true;
      break;
    case '$ref':
    case '$id':
      walk.linked = true;
      break;
    case 'pattern':
      walk.patterns += 1;
      break;
    case 'enum':
      walk.listed += (value as unknown[]).length;
      break;
    case 'dependentRequired':
      for (const names of Object.values(value as Record<string, string[]>)) walk.listed += names.length;
      break;
    case 'uniqueItems':
      walk.costly ||= value === true;
      break;
    case 'required':
      for (const name of value as string[]) noteName(walk, name);
      break;
    case headerKeyword:
      walk.marked = true;
      break;
  }
}

function assertDialect(dialect: string): void {
  if (dialects.test(dialect)) return;
  throw new TypeError(
    `its dialect ${quoteShort(dialect)} is not supported: use https://json-schema.org/draft/2020-12/schema ` +
      '(the default) or http://json-schema.org/draft-07/schema#',
  );
}

function descend(walk: Walk, keyword: string, value: unknown, { holds, repeats }: Applicator): void {
  const within = walk.repeats;
  if (repeats) walk.repeats = true;
  if (holds.schema && isSchema(value)) {
    if (typeof value === 'object') visit(walk, value);
  } else if (holds.list && Array.isArray(value)) {
    for (const [index, child] of value.entries()) visitMember(walk, String(index), child);
  } else if (holds.map && isSchemaObject(value)) {
    visitMap(walk, keyword, value, holds);
  } else {
    throw misplacedError(walk, value, holds.wanted);
  }
  walk.repeats = within;
}

function visitMap(walk: Walk, keyword: string, map: Record<string, unknown>, holds: SchemaKeyword): void {
  if (keyword === 'patternProperties') {
    const patterns = Object.keys(map);
    walk.patterns += patterns.length;
    const broken = patterns.find((pattern) => !isPattern(pattern));
    if (broken !== undefined) throw misplacedError(walk, broken, 'named by regular expressions');
  }
  for (const name in map) {
    if (keyword === 'properties') noteName(walk, name);
    const member = map[name];
    if (!(holds.names && isNames(member))) visitMember(walk, name, member);
  }
}

function visitMember(walk: Walk, step: string, member: unknown): void {
  walk.path?.push(step);
  if (!isSchema(member)) throw misplacedError(walk, member);
  if (typeof member === 'object') visit(walk, member);
  walk.path?.pop();
}

function noteName(walk: Walk, name: string): void {
  walk.listed += 1;
  walk.namesInherited ||= isInherited(name);
}

function misplacedError({ start, path = [] }: Walk, value: unknown, wanted?: string): TypeError {
  return malformed(start + formatPointer(path), value, wanted);
}

function foreignSchemaError({ start, path = [] }: Walk, schema: JsonSchema): TypeError {
  const { vendor } = schema['~standard'] as { vendor?: unknown };
  return new TypeError(
    `${start + formatPointer(path)} is a schema of ${String(vendor)} inside a JSON Schema: describe the whole with one of them, ` +
      'or give an object of its schemas, one for each property',
  );
}

function followReferences(walk: Walk, root: JsonSchema): void {
  const graph = graphOf(root);
  for (const reference of graph.references) {
    const target = resolveReference(reference, graph.targets);
    if (!isSchema(target)) throw malformed(`${reference.at}/$ref`, reference.ref, 'a reference to a schema');
    if (typeof target === 'boolean') continue;
    // A schema under an unknown keyword has not been visited yet.
    if (!graph.links.has(target)) {
      walk.start = reference.ref;
      visit(walk, target);
      addToGraph(graph, target, { at: reference.ref, base: reference.base });
    }
    graph.links.get(reference.from)?.inPlace.push(target);
  }
  if (expansion(root, graph, ({ inPlace }) => inPlace) === Infinity) {
    throw new TypeError('it has references that lead back to themselves, so that no check would ever end');
  }
  const most = walk.patterns > 0 ? maxPatterns : walk.repeated > 0 ? maxRepeated : maxUntimed;
  walk.costly ||= expansion(root, graph, ({ inPlace, inside }) => [...inPlace, ...inside]) > most;
}
