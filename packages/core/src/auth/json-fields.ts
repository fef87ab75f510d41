type Fields = Readonly<Record<string, unknown>>;

/** The string in a field; undefined if it is missing or not a string. */
export function stringField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

/** The list of strings in a field; undefined if it is missing or something else. */
export function stringListField(fields: Fields, name: string): readonly string[] | undefined {
  const value = fields[name];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}
