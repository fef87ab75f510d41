import { DocumentError } from './document-error.ts';
import { isObject, type JsonObject } from './json.ts';

/** The maximum nesting depth of YAML. */
const maxDepth = 500;
/** The maximum aliases in YAML: each may repeat all that was before. */
const maxAliases = 10_000;

/** Parses JSON or YAML to an object. Throws a `DocumentError` that says where it is wrong; `name` is what it calls it. */
export async function parseDocument(text: string, name: string): Promise<JsonObject> {
  const value = /^\uFEFF?\s*[{[]/.test(text) ? await parseJson(text, name) : await parseYaml(text, name);
  if (isObject(value)) return value;
  throw new DocumentError(`${name} is no object: it must be an OpenAPI document, as JSON or YAML`);
}

async function parseJson(text: string, name: string): Promise<unknown> {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // YAML may begin with a brace, too.
    return parseYaml(text, name).catch(() => {
      throw new DocumentError(`${name} is not valid JSON: ${firstLine(error)}`, { cause: error });
    });
  }
}

async function parseYaml(text: string, name: string): Promise<unknown> {
  const { CORE_SCHEMA, load, mergeTag } = await import('js-yaml');
  try {
    return load(text, { schema: CORE_SCHEMA.withTags(mergeTag), json: true, maxDepth, maxAliases });
  } catch (error) {
    throw new DocumentError(`${name} is not valid YAML: ${firstLine(error)}`, { cause: error });
  }
}

function firstLine(error: unknown): string {
  const [line = ''] = (error as Error).message.split('\n', 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
