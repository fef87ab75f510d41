type Fields = Readonly<Record<string, unknown>>;

/** The field's text; undefined where it is missing or something else. */
export function stringField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** The field's list of texts; undefined where it is missing or something else. */
export function stringListField(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}
