type Schema = Readonly<Record<string, unknown>>;

/** An object with these properties and no others; the names after them may be absent. */
export function object(properties: Readonly<Record<string, Schema>>, ...optional: readonly string[]): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const text: Schema = { type: 'string', maxLength: 100_000 };
export const id: Schema = { type: 'string', maxLength: 40 };
export const anyObject: Schema = { type: 'object' };
export const anyValue: Schema = {};
export const boolean: Schema = { type: 'boolean' };
export const milliseconds: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 86_400_000 };

/** One of some texts. */
export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/** A list of these. */
export function list(items: Schema): Schema {
  return { type: 'array', items, maxItems: 1000 };
}

export const root: Schema = object({ uri: text, name: text }, 'name');

export const connectionSettings: Schema = object(
  {
    era: oneOf('auto', 'handshake', 'stateless'),
    version: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    timeoutMs: milliseconds,
    logLevel: text,
    roots: list(root),
    headers: { type: 'object', additionalProperties: text },
    sampling: boolean,
    elicitation: boolean,
  },
  'era',
  'version',
  'timeoutMs',
  'logLevel',
  'roots',
  'headers',
  'sampling',
  'elicitation',
);
