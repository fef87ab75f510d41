import type { Option } from './field.ts';
import { isRecord, type Json, type Schema } from './json.ts';
import { resolved } from './resolve-schema.ts';

/** A schema as it is where no `null` stands, and whether one may. */
export function withoutNull(schema: Schema, root: unknown): { schema: Schema; nullable: boolean } {
  if (schema.nullable === true) return { schema, nullable: true };
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((each) => each !== 'null') as string[];
    if (types.length === 0) return { schema, nullable: false };
    const rest = { ...schema, type: types.length === 1 ? types[0] : types };
    const { enum: values } = schema;
    return {
      schema: Array.isArray(values) ? { ...rest, enum: values.filter((each) => each !== null) } : rest,
      nullable: true,
    };
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = schema[name];
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((each) => resolved(each, root).type !== 'null');
    if (others.length === branches.length || others.length === 0) continue;
    const { [name]: _, ...rest } = schema;
    if (others.length === 1) return { schema: { ...resolved(others[0], root), ...rest }, nullable: true };
    return { schema: { ...schema, [name]: others }, nullable: true };
  }
  return { schema, nullable: false };
}

/** The type that a schema names, or that follows from what it says. */
export function typeOf(schema: Schema): string | readonly string[] | undefined {
  if (typeof schema.type === 'string') return schema.type;
  if (Array.isArray(schema.type))
    return schema.type.length === 1 ? (schema.type[0] as string) : (schema.type as string[]);
  if (isRecord(schema.properties)) return 'object';
  if (isRecord(schema.items) || Array.isArray(schema.prefixItems)) return 'array';
  return undefined;
}

/** The values that may stand here, where that is a list of them. */
export function optionsOf(schema: Schema, root: unknown): readonly Option[] | undefined {
  if ('const' in schema)
    return [{ value: schema.const as Json, label: textOf(schema.title) ?? plainLabel(schema.const) }];
  if (Array.isArray(schema.enum)) {
    const names = Array.isArray(schema.enumNames) ? (schema.enumNames as unknown[]) : [];
    return schema.enum.map((value, index) => ({
      value: value as Json,
      label: textOf(names[index]) ?? plainLabel(value),
    }));
  }
  const branches = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const all = branches.map((each) => resolved(each, root));
  if (!all.every((each) => 'const' in each)) return undefined;
  return all.map((each) => ({ value: each.const as Json, label: textOf(each.title) ?? plainLabel(each.const) }));
}

function plainLabel(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

/** What is special about a text. */
export function textFacts(schema: Schema): {
  format?: string | undefined;
  isFile: boolean;
  mediaType?: string | undefined;
} {
  const format = textOf(schema.format);
  const isFile = schema.contentEncoding === 'base64' || format === 'byte' || format === 'binary';
  return { format, isFile, mediaType: textOf(schema.contentMediaType) };
}

/** A text that is there and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
