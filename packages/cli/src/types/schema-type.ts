import { escapeControls } from '../terminal/print.ts';
import { isRecord } from '../system/record.ts';

type Schema = Readonly<Record<string, unknown>>;

/** A named type. */
export interface NamedType {
  readonly name: string;
  readonly type: string;
  readonly description: string | undefined;
}

/** Maximum nesting of types; deeper ones are `unknown`. */
const maxDepth = 40;
/** Maximum schemas of one root; further ones are `unknown`. */
const maxSchemas = 20_000;
/** Maximum length of a description. */
const maxDescription = 2000;

/** Converts the JSON Schema of an untrusted server to a TypeScript type, and what it refers to to named types. */
export function toTypes(name: string, root: unknown, uniqueName: (wanted: string) => string): NamedType[] {
  const converter = new Converter(name, root, uniqueName);
  return converter.convert();
}

class Converter {
  readonly #root: unknown;
  readonly #name: string;
  readonly #uniqueName: (wanted: string) => string;
  /** Names by pointer. */
  readonly #names = new Map<string, string>();
  readonly #pending: string[] = [];
  #count = 0;

  constructor(name: string, root: unknown, uniqueName: (wanted: string) => string) {
    this.#root = root;
    this.#name = name;
    this.#uniqueName = uniqueName;
    this.#names.set('#', name);
  }

  convert(): NamedType[] {
    const types = [this.#named('#', this.#name)];
    for (let pointer = this.#pending.shift(); pointer !== undefined; pointer = this.#pending.shift())
      types.push(this.#named(pointer, this.#names.get(pointer) as string));
    return types;
  }

  #named(pointer: string, name: string): NamedType {
    const schema = this.#resolve(pointer);
    return { name, type: this.#type(schema, 0), description: descriptionOf(schema) };
  }

  #type(schema: unknown, depth: number): string {
    this.#count += 1;
    if (schema === false) return 'never';
    if (!isRecord(schema) || depth > maxDepth || this.#count > maxSchemas) return 'unknown';
    const parts = [this.#ownType(schema, depth)];
    if (typeof schema.$ref === 'string') parts.push(this.#ref(schema.$ref));
    for (const keyword of ['anyOf', 'oneOf'] as const) parts.push(this.#union(schema[keyword], depth));
    if (Array.isArray(schema.allOf)) parts.push(...schema.allOf.map((each) => this.#type(each, depth + 1)));
    const type = intersect(parts);
    return schema.nullable === true ? unite([type, 'null']) : type;
  }

  #union(schemas: unknown, depth: number): string {
    if (!Array.isArray(schemas) || schemas.length === 0) return 'unknown';
    return unite(schemas.map((each) => this.#type(each, depth + 1)));
  }

  /** The type that the keywords beside references and combinations say. */
  #ownType(schema: Schema, depth: number): string {
    if (Object.hasOwn(schema, 'const')) return literal(schema.const, 0);
    if (Array.isArray(schema.enum))
      return schema.enum.length === 0 ? 'never' : unite(schema.enum.map((each) => literal(each, 0)));
    const named = Array.isArray(schema.type) ? schema.type : [schema.type];
    const types = schema.type === undefined ? [assumedType(schema)] : named;
    return unite(types.map((type) => this.#ofType(type, schema, depth)));
  }

  #ofType(type: unknown, schema: Schema, depth: number): string {
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
      case 'number':
        return type;
      case 'integer':
        return 'number';
      case 'array':
        return this.#array(schema, depth);
      case 'object':
        return this.#object(schema, depth);
      default:
        return 'unknown';
    }
  }

  #array(schema: Schema, depth: number): string {
    const { items, prefixItems, additionalItems, minItems } = schema;
    const [first, rest] = Array.isArray(prefixItems)
      ? [prefixItems, items]
      : Array.isArray(items)
        ? [items, additionalItems]
        : [[], items];
    if (first.length === 0) return listOf(this.#type(rest, depth + 1));
    const required = typeof minItems === 'number' ? minItems : 0;
    const members = first.map((each, index) => `${group(this.#type(each, depth + 1))}${index < required ? '' : '?'}`);
    return `[${[...members, ...(rest === false ? [] : [`...${listOf(this.#type(rest, depth + 1))}`])].join(', ')}]`;
  }

  #object(schema: Schema, depth: number): string {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required = new Set(
      Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [],
    );
    const names = [...new Set([...Object.keys(properties), ...required])].sort(byCodeUnits);
    const members = names.map((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const type = this.#type(property, depth + 1);
      const isRequired = required.has(name);
      return {
        text: `${comment(descriptionOf(property))}${keyOf(name)}${isRequired ? '' : '?'}: ${type};`,
        type,
        isRequired,
      };
    });
    const other = this.#otherMembers(schema, depth);
    if (members.length === 0)
      return `{ [name: string]: ${other ?? (schema.additionalProperties === false ? 'never' : 'unknown')} }`;
    const texts = members.map(({ text }) => text);
    if (other !== undefined) {
      const known = members.flatMap(({ type, isRequired }) => (isRequired ? [type] : [type, 'undefined']));
      texts.push(`[name: string]: ${unite([other, ...known])};`);
    }
    return `{\n${indent(texts.join('\n'))}\n}`;
  }

  /** The type of members without a name of their own, if there may be some. */
  #otherMembers({ additionalProperties, patternProperties }: Schema, depth: number): string | undefined {
    const patterns = isRecord(patternProperties) ? Object.values(patternProperties) : [];
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    const schemas = [...(isOpen ? [additionalProperties] : []), ...patterns];
    return schemas.length === 0 ? undefined : unite(schemas.map((each) => this.#type(each, depth + 1)));
  }

  #ref(pointer: string): string {
    if (this.#resolve(pointer) === undefined || this.#isCircular(pointer)) return 'unknown';
    const known = this.#names.get(pointer);
    if (known !== undefined) return known;
    const name = this.#uniqueName(`${this.#name}${pascalCase(pointer.slice(pointer.lastIndexOf('/') + 1))}`);
    this.#names.set(pointer, name);
    this.#pending.push(pointer);
    return name;
  }

  /** The schema at a pointer into this one. */
  #resolve(pointer: string): unknown {
    if (pointer === '#') return this.#root;
    if (!pointer.startsWith('#/')) return undefined;
    let value: unknown = this.#root;
    for (const part of pointer.slice(2).split('/')) {
      const name = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  }

  /** True if a type would consist of itself, which TypeScript rejects: not only in members. */
  #isCircular(pointer: string): boolean {
    const seen = new Set<string>();
    const left = this.#directRefs(this.#resolve(pointer), 0);
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (next === pointer) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      left.push(...this.#directRefs(this.#resolve(next), 0));
    }
    return false;
  }

  #directRefs(schema: unknown, depth: number): string[] {
    if (!isRecord(schema) || depth > maxDepth) return [];
    const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((each) =>
      Array.isArray(each) ? (each as unknown[]) : [],
    );
    const refs = parts.flatMap((each) => this.#directRefs(each, depth + 1));
    return typeof schema.$ref === 'string' ? [schema.$ref, ...refs] : refs;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function assumedType(schema: Schema): string {
  if (isRecord(schema.properties) || schema.additionalProperties !== undefined || Array.isArray(schema.required))
    return 'object';
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'array' : 'unknown';
}

/** A value as a type. */
function literal(value: unknown, depth: number): string {
  if (depth > maxDepth) return 'unknown';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'number';
  if (Array.isArray(value)) return `[${value.map((each) => literal(each, depth + 1)).join(', ')}]`;
  if (!isRecord(value)) return quote(value);
  const members = Object.keys(value)
    .sort(byCodeUnits)
    .map((name) => `${keyOf(name)}: ${literal(value[name], depth + 1)}`);
  return members.length === 0 ? '{ [name: string]: never }' : `{ ${members.join('; ')} }`;
}

/** JSON that is also TypeScript, without characters that mislead the reader. */
export function quote(value: unknown): string {
  return escapeControls(JSON.stringify(value)).replaceAll('\n', '\\n');
}

function unite(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'never');
  if (all.includes('unknown')) return 'unknown';
  return all.length > 1 ? all.map(group).join(' | ') : (all[0] ?? 'never');
}

function intersect(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'unknown');
  return all.length > 1 ? all.map(group).join(' & ') : (all[0] ?? 'unknown');
}

function listOf(type: string): string {
  return type.includes('\n') ? `Array<${type}>` : `${group(type)}[]`;
}

/** In parentheses, unless it is one word, or in brackets as a whole. */
function group(type: string): string {
  return /^[\w.]+$/.test(type) || /^"(?:[^"\\]|\\.)*"$/.test(type) ? type : `(${type})`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

function descriptionOf(schema: unknown): string | undefined {
  if (!isRecord(schema)) return undefined;
  const { description, title } = schema;
  return typeof description === 'string' ? description : typeof title === 'string' ? title : undefined;
}

/** A text as a comment with a line break, from which it can't break out; empty without a text. */
export function comment(text: string | undefined): string {
  const shown = escapeControls(wellFormed((text ?? '').slice(0, maxDescription)).trim()).replaceAll('*/', '*\\/');
  if (shown === '') return '';
  const lines = shown.split('\n').map((line) => line.trimEnd());
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Replaces half characters, which no file can contain. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** The order of names, independent of the language of the user. */
export function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A name in PascalCase; only ASCII letters and digits stay. */
export function pascalCase(name: string): string {
  const words = name.slice(0, 100).match(/[A-Za-z][a-z]*\d*|\d+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
