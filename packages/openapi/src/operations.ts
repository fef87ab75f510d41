import { DocumentError } from './document-error.ts';
import { type Documents, type Located, pointer } from './documents.ts';
import { entriesOf, isObject, type JsonObject, memberOf, textOf } from './json.ts';

/** The places of parameters. */
export const parameterPlaces = ['path', 'query', 'querystring', 'header', 'cookie'] as const;

/** The place of a parameter. */
export type ParameterPlace = (typeof parameterPlaces)[number];

/** A parameter of an operation. */
export interface Parameter extends Located<JsonObject> {
  readonly name: string;
  readonly place: ParameterPlace;
}

/** An operation of a document, with what its path and the document say for it. */
export interface Operation extends Located<JsonObject> {
  /** The JSON pointer of the operation. */
  readonly pointer: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  /** The alternatives of security, each with the names of its schemes. */
  readonly security: readonly (readonly string[])[];
  /** The servers of the operation, its path or the document: the nearest that has any. */
  readonly servers: readonly JsonObject[];
  /** The nearest `x-mcp`. */
  readonly mark: unknown;
}

/** An operation, or why it can't be read. */
export type FoundOperation =
  | { readonly operation: Operation; readonly error?: undefined }
  | { readonly operation?: undefined; readonly error: string; readonly pointer: string };

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

const httpMethod = /^[A-Za-z][A-Za-z-]{0,30}$/;

/** The operations of a document, in its order. */
export function operationsOf(documents: Documents): FoundOperation[] {
  return entriesOf(documents.root.value.paths).flatMap(([path, value]): FoundOperation[] => {
    if (path.startsWith('x-')) return [];
    try {
      const item = documents.object({ value, document: documents.root.document });
      return item === undefined ? [] : operationsAt(documents, path, item);
    } catch (error) {
      return [{ pointer: pointer('paths', path), error: messageOf(error) }];
    }
  });
}

function operationsAt(documents: Documents, path: string, item: Located<JsonObject>): FoundOperation[] {
  const usual = methods.map((method) => [method, item.value[method], [method]] as const);
  const more = entriesOf(item.value.additionalOperations)
    .filter(([method]) => httpMethod.test(method))
    .map(([method, value]) => [method, value, ['additionalOperations', method]] as const);
  return [...usual, ...more].flatMap(([method, value, way]): FoundOperation[] => {
    if (!isObject(value)) return [];
    const place = pointer('paths', path, ...way);
    try {
      // Not in the specification, but in documents of several files.
      const own = documents.object({ value, document: item.document });
      if (own === undefined) return [];
      return [{ operation: readOperation(documents, item, { method: method.toUpperCase(), path, place, own }) }];
    } catch (error) {
      return [{ pointer: place, error: messageOf(error) }];
    }
  });
}

interface Found {
  readonly method: string;
  readonly path: string;
  readonly place: string;
  readonly own: Located<JsonObject>;
}

function readOperation(documents: Documents, item: Located<JsonObject>, found: Found): Operation {
  const { own, path, method, place } = found;
  const { value, document } = own;
  const root = documents.root.value;
  const sources = [value, item.value, root];
  const servers = sources.map((source) => source.servers).find((each) => Array.isArray(each) && each.length > 0) ?? [];
  return {
    value,
    document,
    pointer: place,
    method,
    path,
    tags: Array.isArray(value.tags) ? value.tags.filter((tag) => typeof tag === 'string') : [],
    parameters: readParameters(documents, [parametersOf(item), parametersOf(own)].flat(), path),
    security: readSecurity(value.security ?? root.security),
    servers: (servers as unknown[]).filter(isObject),
    mark: sources.map((source) => source['x-mcp']).find((mark) => mark !== undefined),
  };
}

function parametersOf({ value, document }: Located<JsonObject>): Located[] {
  const list: unknown = value.parameters;
  return Array.isArray(list) ? list.map((each: unknown) => ({ value: each, document })) : [];
}

/** Those of the operation replace those of its path. A parameter that the path template names and nobody declares is a text. */
function readParameters(documents: Documents, declared: readonly Located[], path: string): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const each of declared) {
    const parameter = documents.object(each);
    const name = textOf(parameter?.value.name);
    const place = parameterPlaces.find((each) => each === parameter?.value.in);
    if (parameter === undefined || name === undefined || place === undefined) continue;
    found.set(`${place} ${name}`, { ...parameter, name, place });
  }
  const inPath = new Set(Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name));
  for (const name of inPath) {
    const key = `path ${name}`;
    const { document } = documents.root;
    if (!found.has(key)) found.set(key, { name, place: 'path', document, value: { schema: { type: 'string' } } });
  }
  return Array.from(found.values()).filter(({ name, place }) => place !== 'path' || inPath.has(name));
}

function readSecurity(value: unknown): string[][] {
  return Array.isArray(value) ? value.filter(isObject).map((each) => Object.keys(each)) : [];
}

/** The message of an error of the document. Throws other errors again. */
export function messageOf(error: unknown): string {
  if (error instanceof DocumentError) return error.message;
  throw error;
}

/** A member of the components of a document, with its references resolved. */
export function componentOf(documents: Documents, kind: string, name: string): Located<JsonObject> | undefined {
  const { value, document } = documents.root;
  const found = memberOf(memberOf(value.components, kind), name);
  return found === undefined ? undefined : documents.object({ value: found, document });
}
