import type { JsonSchema } from '@ccmcp/core';
import { checkValue } from '@ccmcp/core/client';
import { baseType } from './body-plan.ts';
import type { Documents, Located } from './documents.ts';
import { entriesOf, isObject, type JsonObject, memberOf } from './json.ts';
import type { Operation } from './operations.ts';
import type { Schemas } from './schemas.ts';

/** The maximum length of an output schema, as JSON: a longer one is left out, since each list would have it. */
const maxLength = 8 * 1024;

/** A response in a document. */
export interface DocumentedResponse extends Located<JsonObject> {
  /** Such as `200`, `2XX` or `default`. */
  readonly status: string;
}

/** The responses of an operation. Those with dangling references are left out. */
export function responsesOf(operation: Operation, documents: Documents): DocumentedResponse[] {
  return entriesOf(operation.value.responses).flatMap(([status, value]) => {
    try {
      const found = documents.object({ value, document: operation.document });
      return found === undefined ? [] : { ...found, status };
    } catch {
      return [];
    }
  });
}

/** True for a content type of JSON. */
export function isJsonType(type: string): boolean {
  return /^(?:[^/]+\/(?:[^/]+\+)?json)$/.test(type);
}

/**
 * The output schema of an operation: that of its only successful response with JSON, if it is an object. Undefined if there is none,
 * and for schemas that can't be used.
 */
export function planOutput(
  responses: readonly DocumentedResponse[],
  { documents, schemas }: { documents: Documents; schemas: Schemas },
): JsonSchema | undefined {
  const successful = responses.filter(({ status }) => /^2(?:\d\d|XX)$/i.test(status));
  const found = successful.flatMap((response) => jsonSchemasOf(response, documents));
  const [only, another] = found;
  if (only === undefined || another !== undefined) return undefined;
  try {
    if (!isObjectSchema(only, documents)) return undefined;
    const { json, uses, length } = schemas.convertContent(only);
    const { defs, isCut, length: more } = schemas.definitions(uses, maxLength);
    if (isCut || length + more > maxLength) return undefined;
    return { ...json, type: 'object', ...(uses.size > 0 && { $defs: defs }) };
  } catch {
    return undefined;
  }
}

function jsonSchemasOf({ value, document }: DocumentedResponse, documents: Documents): Located[] {
  const medias = entriesOf(value.content).filter(([type]) => isJsonType(baseType(type)));
  return medias.slice(0, 1).flatMap(([, media]) => {
    const found = documents.object({ value: media, document });
    return found?.value.schema === undefined ? [] : { value: found.value.schema, document: found.document };
  });
}

/** True if a schema says that a value is an object. */
function isObjectSchema(schema: Located, documents: Documents, depth = 0): boolean {
  const { value, document } = documents.resolve(schema);
  if (!isObject(value) || depth > 8) return false;
  if (value.type !== undefined) return [value.type].flat().includes('object');
  if (isObject(value.properties)) return true;
  const parts = memberOf(value, 'allOf');
  return Array.isArray(parts) && parts.some((part) => isObjectSchema({ value: part, document }, documents, depth + 1));
}

/** The structured content of a response for a tool with an output schema; or the problem, if it breaks the schema. */
export async function conform(
  schema: JsonSchema,
  value: unknown,
): Promise<{ readonly structured: JsonObject } | { readonly problem: string }> {
  const structured = isObject(value) ? value : {};
  const checked = await checkValue(schema, structured);
  if ('unusable' in checked) return { problem: checked.unusable };
  const [first] = checked.problems;
  if (first === undefined) return { structured };
  return { problem: `${first.path === '' ? 'it' : first.path} ${first.message}` };
}
