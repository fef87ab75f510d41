import type { JsonSchema } from '@ccmcp/core';
import { briefText } from './brief-text.ts';
import type { Documents, Located } from './documents.ts';
import { entriesOf, isObject, type JsonObject, memberOf, textOf } from './json.ts';
import { UniqueNames } from './unique-names.ts';

/**
 * What a schema is for: `input` leaves out what is only read, `exact` what is only written; `relaxed` is the latter with types and
 * names alone, and null everywhere.
 */
export type SchemaUse = 'input' | 'exact' | 'relaxed';

/** A converted schema, and its length as JSON, about. */
export interface Converted {
  readonly json: JsonSchema;
  readonly length: number;
  /** The definitions that it refers to by `#/$defs/…`, directly. */
  readonly uses: ReadonlySet<string>;
}

/** The maximum length of the name of a definition. */
const maxName = 80;
/** Below this depth, a schema accepts anything. */
const maxDepth = 24;
/** The maximum conversions in progress, in a chain of references: each takes room on the stack. */
const maxRunning = 200;
/** The maximum length of a definition that is repeated rather than referred to. */
const maxInlined = 300;
/** The maximum length of one schema without what it refers to: a longer one accepts anything. */
const maxLength = 64 * 1024;
/** The maximum length of the description of a value. */
export const maxDescription = 240;
/** The maximum length of a text in a default or an `enum`, and of a pattern. */
const maxText = 300;
/** The maximum length of an `enum`, in values. */
const maxEnum = 500;

const anything: Converted = { json: {}, length: 2, uses: new Set() };

/**
 * Converts the schemas of documents to JSON Schema 2020-12. The result accepts whatever the document accepts, and more where that is
 * simpler: what JSON Schema has no word for, or what is malformed, is left out. Cycles stay references to `$defs`.
 */
export class Schemas {
  readonly #documents: Documents;
  readonly #use: SchemaUse;
  readonly #done = new Map<object, Converted>();
  /** The schemas whose conversion has begun. */
  readonly #running = new Set<object>();
  readonly #names = new Map<object, string>();
  readonly #unique = new UniqueNames(maxName);
  readonly #definitions = new Map<string, object>();

  constructor(documents: Documents, use: SchemaUse) {
    this.#documents = documents;
    this.#use = use;
  }

  /** Converts a schema. Throws a `DocumentError` if a reference leads nowhere. */
  convert(schema: Located): Converted {
    return this.#convert(schema, 0);
  }

  /** Converts a schema to its content, even if it is a reference, or refers to itself. */
  convertContent(schema: Located): Converted {
    const target = this.#documents.resolve(schema);
    const converted = this.convert(target);
    return isObject(target.value) ? (this.#done.get(target.value) ?? converted) : converted;
  }

  /** The definitions that converted schemas need, up to a length in all; those beyond accept anything. */
  definitions(
    uses: Iterable<string>,
    maxTotal: number,
  ): { defs: Record<string, JsonSchema>; length: number; isCut: boolean } {
    const defs: [string, JsonSchema][] = [];
    const waiting = [...new Set(uses)];
    const seen = new Set(waiting);
    let length = 0;
    let isCut = false;
    // Those that are nearest come first.
    for (const name of waiting) {
      const found = this.#done.get(this.#definitions.get(name) as object) ?? anything;
      const fits = length + found.length <= maxTotal;
      isCut ||= !fits;
      defs.push([name, fits ? found.json : headOf(found.json)]);
      length += name.length + (fits ? found.length : 8);
      if (!fits) continue;
      for (const use of found.uses) {
        if (!seen.has(use)) waiting.push(use);
        seen.add(use);
      }
    }
    return { defs: Object.fromEntries(defs), length, isCut };
  }

  #convert({ value, document }: Located, depth: number): Converted {
    if (!isObject(value) || depth > maxDepth) return anything;
    if (typeof memberOf(value, '$ref') === 'string') return this.#reference({ value, document });
    const known = this.#done.get(value);
    if (known !== undefined) return known;
    // An object that contains itself, as parsers make of references that they resolve.
    if (this.#running.has(value)) return this.#refer(value, 'recursive');
    this.#running.add(value);
    try {
      const converted = this.#object({ value, document }, depth);
      const bounded = converted.length > maxLength ? anything : converted;
      this.#done.set(value, bounded);
      return this.#names.has(value) ? this.#refer(value, '') : bounded;
    } finally {
      this.#running.delete(value);
    }
  }

  #reference(located: Located<JsonObject>): Converted {
    const { description, nullable } = located.value;
    const target = this.#documents.resolve(located);
    const name = nameOf(String(located.value.$ref));
    let found = anything;
    if (isObject(target.value)) {
      if (this.#running.has(target.value)) found = this.#refer(target.value, name);
      // Its own depth counts from here: a chain of references must not cut what they lead to.
      else found = this.#definition(target as Located<JsonObject>, name);
    }
    const text = textOf(description);
    const described = text === undefined ? found : withMember(found, 'description', briefText(text, maxDescription));
    return nullable === true ? withNull(described) : described;
  }

  #definition(target: Located<JsonObject>, name: string): Converted {
    const known = this.#done.get(target.value);
    const converted = known ?? this.#convert(target, this.#running.size > maxRunning ? maxDepth + 1 : 0);
    if (this.#names.has(target.value)) return this.#refer(target.value, name);
    if (converted.length <= maxInlined && converted.uses.size === 0) return converted;
    return this.#done.has(target.value) ? this.#refer(target.value, name) : converted;
  }

  #refer(schema: object, wanted: string): Converted {
    const name = this.#names.get(schema) ?? this.#addName(schema, wanted);
    const $ref = `#/$defs/${name}`;
    return { json: { $ref }, length: $ref.length + 11, uses: new Set([name]) };
  }

  #addName(schema: object, wanted: string): string {
    const name = this.#unique.take(wanted);
    this.#names.set(schema, name);
    this.#definitions.set(name, schema);
    return name;
  }

  #object({ value, document }: Located<JsonObject>, depth: number): Converted {
    const made = new Builder();
    const part = (schema: unknown): Converted => this.#convert({ value: schema, document }, depth + 1);
    const isExact = this.#use !== 'relaxed';
    const types = typesOf(value, this.#use);
    if (types !== undefined) made.add('type', types);
    const description = textOf(value.description);
    if (description !== undefined) made.add('description', briefText(description, maxDescription));
    if (isExact) addFacts(made, value);
    const hidden = addProperties(made, value.properties, {
      part,
      use: this.#use,
      documents: this.#documents,
      document,
    });
    if (isExact) addRequired(made, value.required, hidden);
    if (isObject(value.additionalProperties)) made.addSchema('additionalProperties', part(value.additionalProperties));
    if (isObject(value.items)) made.addSchema('items', part(value.items));
    if (Array.isArray(value.prefixItems)) made.addSchemas('prefixItems', value.prefixItems.map(part));
    if (isList(value.allOf)) made.addSchemas('allOf', value.allOf.map(part));
    // The schemas of one `oneOf` often overlap, though they should not.
    const choices = [value.anyOf, value.oneOf].filter(isList);
    const tagged = choices.map((choice) => this.#choice(choice, { value, document }, part));
    const [only, another] = tagged;
    if (another !== undefined)
      made.addSchemas(
        'allOf',
        tagged.map((each) => anyOf(each)),
      );
    else if (only !== undefined) made.addSchemas('anyOf', only);
    const converted = unwrapped(made.done());
    const admitsNull = this.#use === 'relaxed' || value.nullable === true;
    return admitsNull && types === undefined ? withNull(converted) : converted;
  }

  /** The members of a choice, each with the value of the discriminator that stands for it. */
  #choice(
    members: readonly unknown[],
    { value, document }: Located<JsonObject>,
    part: (schema: unknown) => Converted,
  ): Converted[] {
    const name = textOf(memberOf(value.discriminator, 'propertyName'));
    const mapping = entriesOf(memberOf(value.discriminator, 'mapping'));
    return members.map((member) => {
      const converted = part(member);
      if (name === undefined || mapping.length === 0 || this.#use === 'relaxed') return converted;
      const ref = memberOf(member, '$ref');
      const tags = mapping.filter(([, target]) => target === ref || `#/components/schemas/${String(target)}` === ref);
      if (tags.length === 0 || this.#tells({ value: member, document }, name)) return converted;
      const properties = { [name]: { enum: tags.map(([tag]) => tag) } };
      return withMember(withMember(converted, 'properties', properties), 'required', [name]);
    });
  }

  /** Whether a schema says itself which values of a property it has. */
  #tells(schema: Located, name: string): boolean {
    const { value, document } = this.#documents.resolve(schema);
    const property = this.#documents.resolve({ value: memberOf(memberOf(value, 'properties'), name), document }).value;
    return memberOf(property, 'enum') !== undefined || memberOf(property, 'const') !== undefined;
  }
}

/** Collects the members of a schema. */
class Builder {
  readonly #members: [string, unknown][] = [];
  readonly #uses = new Set<string>();
  #length = 2;

  add(keyword: string, value: unknown): void {
    this.#put(keyword, value, JSON.stringify(value).length);
  }

  addSchema(keyword: string, { json, length, uses }: Converted): void {
    for (const use of uses) this.#uses.add(use);
    this.#put(keyword, json, length);
  }

  addSchemas(keyword: string, parts: readonly Converted[]): void {
    if (parts.length === 0) return;
    for (const { uses } of parts) for (const use of uses) this.#uses.add(use);
    this.#put(
      keyword,
      parts.map(({ json }) => json),
      parts.reduce((sum, { length }) => sum + length + 1, 2),
    );
  }

  addMap(keyword: string, parts: readonly (readonly [string, Converted])[]): void {
    for (const [, { uses }] of parts) for (const use of uses) this.#uses.add(use);
    this.#put(
      keyword,
      Object.fromEntries(parts.map(([name, { json }]) => [name, json])),
      parts.reduce((sum, [name, { length }]) => sum + name.length + length + 4, 2),
    );
  }

  done(): Converted {
    return { json: Object.fromEntries(this.#members), length: this.#length, uses: this.#uses };
  }

  #put(keyword: string, value: unknown, length: number): void {
    this.#members.push([keyword, value]);
    this.#length += keyword.length + 4 + length;
  }
}

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

function typesOf(schema: JsonObject, use: SchemaUse): string | string[] | undefined {
  const given = [schema.type].flat().filter((type): type is string => typeNames.includes(String(type)));
  if (given.length === 0) return undefined;
  const types = new Set(given);
  if (schema.nullable === true || use === 'relaxed') types.add('null');
  const [only = '', another] = [...types];
  return another === undefined ? only : [...types];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The keywords that are taken over if their value is what JSON Schema wants. */
const facts: Readonly<Record<string, (value: unknown) => boolean>> = {
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  multipleOf: (value) => isNumber(value) && value > 0,
  uniqueItems: (value) => value === true,
  contentMediaType: (value) => typeof value === 'string',
  contentEncoding: (value) => typeof value === 'string',
  pattern: isPattern,
  const: isSmall,
  default: (value) => value !== null && isSmall(value),
};

/** Formats that say nothing beside the type. */
const redundantFormats = new Set([
  'int32',
  'int64',
  'float',
  'double',
  'string',
  'number',
  'integer',
  'boolean',
  'binary',
]);

function addFacts(made: Builder, schema: JsonObject): void {
  for (const [keyword, fits] of Object.entries(facts)) {
    const value = schema[keyword];
    if (value !== undefined && fits(value)) made.add(keyword, value);
  }
  const { format, enum: values } = schema;
  if (typeof format === 'string' && !redundantFormats.has(format)) made.add('format', format);
  if (isList(values) && values.length <= maxEnum && values.every((value) => isSmall(value))) {
    made.add('enum', schema.nullable === true && !values.includes(null) ? [...values, null] : values);
  }
  addBounds(made, schema);
}

/** In OpenAPI 3.0, `exclusiveMinimum` is true or false. */
function addBounds(made: Builder, schema: JsonObject): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const value = schema[bound];
    if (isNumber(value)) made.add(schema[exclusive] === true ? exclusive : bound, value);
    if (isNumber(schema[exclusive])) made.add(exclusive, schema[exclusive]);
  }
}

/** A value that is short as JSON; a document may have values of any length, and nested in any depth. */
function isSmall(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length <= maxText;
  if (typeof value !== 'object' || value === null) return true;
  const parts = Object.entries(value);
  return depth < 2 && parts.length <= 8 && parts.every(([name, part]) => name.length <= 60 && isSmall(part, depth + 1));
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > maxText) return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

interface PropertyContext {
  readonly part: (schema: unknown) => Converted;
  readonly use: SchemaUse;
  readonly documents: Documents;
  readonly document: string;
}

/** Adds the properties, and returns the names of those that are left out. */
function addProperties(
  made: Builder,
  properties: unknown,
  { part, use, documents, document }: PropertyContext,
): Set<string> {
  const hidden = new Set<string>();
  const kept = entriesOf(properties).filter(([name, value]) => {
    const isHidden = isOneWay({ value, document }, documents, use);
    if (isHidden) hidden.add(name);
    return !isHidden;
  });
  if (kept.length > 0)
    made.addMap(
      'properties',
      kept.map(([name, value]) => [name, part(value)]),
    );
  return hidden;
}

/** Whether a property is only read, in what is sent, or only written, in what is returned. */
export function isOneWay({ value, document }: Located, documents: Documents, use: SchemaUse): boolean {
  const flag = use === 'input' ? 'readOnly' : 'writeOnly';
  if (memberOf(value, flag) === true) return true;
  return (
    typeof memberOf(value, '$ref') === 'string' && memberOf(documents.resolve({ value, document }).value, flag) === true
  );
}

function addRequired(made: Builder, required: unknown, hidden: ReadonlySet<string>): void {
  if (!Array.isArray(required)) return;
  const names = new Set(required.filter((name) => typeof name === 'string' && !hidden.has(name)));
  if (names.size > 0) made.add('required', [...names]);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function anyOf(parts: readonly Converted[]): Converted {
  const made = new Builder();
  made.addSchemas('anyOf', parts);
  return made.done();
}

/** A schema with one more member; a member that is there already is replaced. */
function withMember({ json, length, uses }: Converted, keyword: string, value: unknown): Converted {
  return {
    json: { ...json, [keyword]: value },
    length: length + keyword.length + JSON.stringify(value).length + 4,
    uses,
  };
}

/** A schema that also accepts null. */
function withNull(converted: Converted): Converted {
  const { json, length, uses } = converted;
  const keywords = Object.keys(json).filter((keyword) => keyword !== 'description');
  // Without a type, or a schema for all types, null is accepted anyway.
  if (!keywords.some((keyword) => ['$ref', 'allOf', 'anyOf', 'enum', 'const', 'type'].includes(keyword)))
    return converted;
  if ([json.type].flat().includes('null')) return converted;
  const { description, ...rest } = json;
  const made = { ...(description !== undefined && { description }), anyOf: [rest, { type: 'null' }] };
  return { json: made, length: length + 30, uses };
}

/** `allOf` of one schema, with nothing beside it but a description, is that schema. */
function unwrapped(converted: Converted): Converted {
  const { allOf, anyOf: choice, description, ...rest } = converted.json;
  const parts = (allOf ?? choice) as JsonSchema[] | undefined;
  const [only, another] = parts ?? [];
  if (only === undefined || another !== undefined || (allOf && choice) || Object.keys(rest).length > 0)
    return converted;
  return { ...converted, json: { ...only, ...(description !== undefined && { description }) } };
}

/** A schema without what is inside. */
function headOf({ type, description }: JsonSchema): JsonSchema {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
}

/** The name of a definition, from the last part of a reference. */
function nameOf(ref: string): string {
  const last = ref.slice(ref.lastIndexOf('/') + 1).slice(-200);
  const name = last.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^_+|_+$/g, '');
  return name === '' ? 'schema' : name.slice(-60);
}
