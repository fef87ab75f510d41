import type { Documents, Located } from './documents.ts';
import { entriesOf, isObject, memberOf, textOf } from './json.ts';
import type { Operation } from './operations.ts';
import { type Converted, isOneWay, type Schemas } from './schemas.ts';

/** How a body is encoded. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

/** The body of an operation. */
export interface Body {
  readonly kind: BodyKind;
  readonly contentType: string;
  readonly required: boolean;
  /** The `encoding` of its members. */
  readonly encoding: unknown;
  readonly parts: readonly BodyPart[];
}

/** The body as a whole, or one of its members. */
export interface BodyPart {
  /** The name of the member; undefined: the whole body. */
  readonly name: string | undefined;
  readonly schema: Converted;
  readonly required: boolean;
  /** True if it is a file, or a list of files. */
  readonly isFile: boolean;
}

/** The content types that can be sent, best first. */
const kinds: readonly [RegExp, BodyKind][] = [
  [/^application\/json$/, 'json'],
  [/^application\/merge-patch\+json$/, 'json'],
  [/^[^/]+\/[^/]+\+json$/, 'json'],
  [/^application\/x-www-form-urlencoded$/, 'form'],
  [/^multipart\/form-data$/, 'multipart'],
  [/^text\//, 'text'],
  [/^application\/(?:xml|.*\+xml|.*yaml|graphql|javascript|x-ndjson|jsonl)$/, 'text'],
  [/^\*\/\*$|^application\/\*$/, 'json'],
  [/./, 'binary'],
];

/** A file in the arguments of a tool. */
const file: Converted = {
  json: {
    type: 'object',
    description: 'A file: its contents as text or as base64',
    properties: {
      text: { type: 'string' },
      base64: { type: 'string' },
      filename: { type: 'string' },
      mimeType: { type: 'string' },
    },
    anyOf: [{ required: ['text'] }, { required: ['base64'] }],
    additionalProperties: false,
  },
  length: 260,
  uses: new Set(),
};

/** Reads the request body of an operation: as a whole, or its members if they can stand beside parameters. */
export function readBody(operation: Operation, documents: Documents, schemas: Schemas): Body | undefined {
  // No client can send one, though documents may have it.
  if (operation.method === 'GET' || operation.method === 'HEAD') return undefined;
  const body = documents.object({ value: operation.value.requestBody, document: operation.document });
  const content = entriesOf(body?.value.content).map(([type, media]) => ({ type: baseType(type), media }));
  const chosen = kinds
    .flatMap(([pattern, kind]) => content.filter(({ type }) => pattern.test(type)).map((each) => ({ ...each, kind })))
    .at(0);
  if (body === undefined || chosen === undefined) return undefined;
  const media = documents.object({ value: chosen.media, document: body.document });
  const schema: Located = { value: media?.value.schema, document: media?.document ?? body.document };
  const required = body.value.required === true;
  const { kind } = chosen;
  const contentType = chosen.type.includes('*') ? 'application/json' : chosen.type;
  const parts = partsOf({ kind, schema, required }, documents, schemas);
  return { kind, contentType, required, encoding: media?.value.encoding, parts };
}

/** A content type in lower case, without its parameters. */
export function baseType(type: string): string {
  return (type.split(';', 1)[0] as string).trim().toLowerCase();
}

function partsOf(
  { kind, schema, required }: { kind: BodyKind; schema: Located; required: boolean },
  documents: Documents,
  schemas: Schemas,
): BodyPart[] {
  const whole = { name: undefined, required };
  if (kind === 'binary') return [{ ...whole, schema: file, isFile: true }];
  if (kind === 'text')
    return [{ ...whole, schema: { json: { type: 'string' }, length: 17, uses: new Set() }, isFile: false }];
  const members = new Map<string, Member>();
  if (!collectMembers(schema, documents, members) || members.size === 0) {
    return [{ ...whole, schema: schemas.convert(schema), isFile: false }];
  }
  return Array.from(members).map(([name, member]): BodyPart => {
    const fileSchema = kind === 'multipart' ? asFile(member, documents) : undefined;
    return {
      name,
      schema: fileSchema ?? schemas.convert(member),
      required: required && member.required,
      isFile: fileSchema !== undefined,
    };
  });
}

interface Member extends Located {
  required: boolean;
}

/** Keywords that say more of an object than its members. */
const holistic = ['oneOf', 'not', 'if', 'patternProperties', 'discriminator', 'dependentSchemas', 'propertyNames'];

/** The maximum schemas that an object is put together from. */
const maxParts = 50;

/** Collects the members of an object. False if there is more to it: then the body is one argument. */
function collectMembers(
  schema: Located,
  documents: Documents,
  members: Map<string, Member>,
  seen: Set<unknown> = new Set(),
): boolean {
  const { value, document } = documents.resolve(schema);
  if (!isObject(value) || seen.has(value) || seen.size >= maxParts) return false;
  seen.add(value);
  const { type, additionalProperties, allOf } = value;
  const isOpen = additionalProperties === true || isObject(additionalProperties);
  if (isOpen || holistic.some((keyword) => value[keyword] !== undefined) || !statesOnlyRequired(value.anyOf))
    return false;
  if (type !== undefined && ![type].flat().includes('object')) return false;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    if (!collectMembers({ value: part, document }, documents, members, seen)) return false;
  }
  for (const [name, member] of entriesOf(value.properties)) {
    if (!isOneWay({ value: member, document }, documents, 'input')) {
      members.set(name, { value: member, document, required: members.get(name)?.required ?? false });
    }
  }
  for (const name of Array.isArray(value.required) ? value.required : []) {
    const member = members.get(String(name));
    if (member !== undefined) member.required = true;
  }
  return true;
}

/** True for alternatives that differ in what is required alone. */
function statesOnlyRequired(choice: unknown): boolean {
  if (choice === undefined) return true;
  return (
    Array.isArray(choice) &&
    choice.every((each) => isObject(each) && Object.keys(each).every((key) => key === 'required'))
  );
}

/** The schema of an argument for a file, or a list of files; undefined if the member is something else. */
function asFile(member: Located, documents: Documents): Converted | undefined {
  const { value, document } = documents.resolve(member);
  if (isBinary(value)) return file;
  if (memberOf(value, 'type') !== 'array') return undefined;
  const items = documents.resolve({ value: memberOf(value, 'items'), document }).value;
  return isBinary(items) ? { ...file, json: { type: 'array', items: file.json } } : undefined;
}

function isBinary(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  const isBytes =
    textOf(contentMediaType) !== undefined &&
    contentEncoding === undefined &&
    !/json/.test(textOf(contentMediaType) ?? '');
  return (type === 'string' && format === 'binary') || ((type === undefined || type === 'string') && isBytes);
}
