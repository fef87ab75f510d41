/** A JSON Schema from a server, unvalidated. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** The schema in an untrusted value; otherwise one that allows everything. */
export function toSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}

/** The schemas of an object's members, by name. */
export function propertiesOf(schema: Schema): Map<string, Schema> {
  return new Map(Object.entries(toSchema(schema.properties)).map(([name, value]) => [name, toSchema(value)]));
}

/** The required members of an object. */
export function requiredOf({ required }: Schema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Follows a reference within the same document, a few steps at most. */
export function resolveRef(schema: Schema, root: Schema): Schema {
  let here = schema;
  for (let step = 0; step < 8 && typeof here.$ref === 'string'; step += 1) {
    if (!here.$ref.startsWith('#/')) return {};
    const path = here.$ref.slice(2).split('/');
    here = path.reduce((from, key) => toSchema(from[key.replace(/~1/g, '/').replace(/~0/g, '~')]), root);
  }
  return here;
}

/** The alternatives of a union; otherwise the schema itself. */
export function alternativesOf(schema: Schema): Schema[] {
  const listed = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (listed !== undefined) return listed.map(toSchema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}
