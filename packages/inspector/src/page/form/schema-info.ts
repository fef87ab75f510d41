import type { Option } from './field.ts';
import { isRecord, type Json, type Schema } from './json.ts';
import { resolveSchema } from './resolve-schema.ts';

/** Schema without `null`, and whether it allows `null`. */
export function withoutNull(schema: Schema, root: unknown): { schema: Schema; nullable: boolean } {
  if (schema.nullable === true) return { schema, nullable: true };
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((each) => each !== 'null') as string[];
    if (types.length === 0) return { schema, nullable: false };
    const rest = { ...schema, type: types.length === 1 ? types[0] : types };
    const { enum: budget } = schema;
    return {
      schema: Array.isArray(budget) ? { ...rest, enum: budget.filter((each) => each !== null) } : rest,
      nullable: true,
    };
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = schema[name];
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((each) => resolveSchema(each, root).type !== 'null');
    if (others.length === branches.length || others.length === 0) continue;
    const { [name]: _, ...rest } = schema;
    if (others.length === 1) return { schema: { ...resolveSchema(others[0], root), ...rest }, nullable: true };
    return { schema: { ...schema, [name]: others }, nullable: true };
  }
  return { schema, nullable: false };
}

/** Declared or implied type of a schema. */
export function typeOf(schema: Schema): string | readonly string[] | undefined {
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type))
    return schema.type.length === 1 ? (schema.type[0] as string) : (schema.type as string[]);
  if (isRecord(schema.properties)) return 'object';
  if (isRecord(schema.items) || Array.isArray(schema.prefixItems)) return 'array';
  return undefined;
}

/** Allowed values, if the schema lists them. */
export function optionsOf(schema: Schema, root: unknown): readonly Option[] | undefined {
  if ('const' in schema)
    return [{ value: schema.const as Json, label: nonEmptyString(schema.title) ?? plainLabel(schema.const) }];
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? (schema.enumNames as unknown[]) : [];
    return schema.enum.map((value, index) => ({
      value: value as Json,
      label: nonEmptyString(names[index]) ?? plainLabel(value),
    }));
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const all = branches.map((each) => resolveSchema(each, root));
  if (!all.every((each) => 'const' in each)) return undefined;
  return all.map((each) => ({
    value: each.const as Json,
    label: nonEmptyString(each.title) ?? plainLabel(each.const),
  }));
}

function plainLabel(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** Format and encoding of a string schema. */
export function textFieldInfo(schema: Schema): {
  format?: string | undefined;
  isFile: boolean;
  mediaType?: string | undefined;
} {
  const format = nonEmptyString(schema.format);
  const isFile = schema.contentEncoding === 'base64' || format === 'byte' || format === 'binary';
  return { format, isFile, mediaType: nonEmptyString(schema.contentMediaType) };
}

/** A non-empty string. */
export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
