import type { RequestBody, RequestName, ResponseBody } from '../../shared/requests.ts';
import type { InspectorContext } from '../context.ts';

/** Handler of one request of the page. */
export interface RequestHandler<Name extends RequestName> {
  /** JSON Schema of the body. */
  readonly schema: Readonly<Record<string, unknown>>;
  run(asked: RequestBody<Name>, context: InspectorContext): Promise<ResponseBody<Name>> | ResponseBody<Name>;
}

/** Handlers by request name. */
export type Handlers<Names extends RequestName> = { readonly [Name in Names]: RequestHandler<Name> };

type Schema = Readonly<Record<string, unknown>>;

/** Schema of an object with exactly these properties; those with a `?` after their name are optional. */
export function object(properties: Readonly<Record<string, Schema>>): Schema {
  const required = Object.keys(properties).filter((name) => !name.endsWith('?'));
  const named = Object.entries(properties).map(([name, schema]) => [name.replace('?', ''), schema]);
  return { type: 'object', properties: Object.fromEntries(named), required, additionalProperties: false };
}

export const text: Schema = { type: 'string', maxLength: 100_000 };
export const id: Schema = { type: 'string', maxLength: 40 };
export const anyObject: Schema = { type: 'object' };
export const anyValue: Schema = {};
export const boolean: Schema = { type: 'boolean' };
export const milliseconds: Schema = { type: 'number', exclusiveMinimum: 0, maximum: 86_400_000 };

/** Schema of one of several strings. */
export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/** Schema of a list. */
export function list(items: Schema): Schema {
  return { type: 'array', items, maxItems: 1000 };
}

export const root: Schema = object({ uri: text, 'name?': text });

export const connectionSettings: Schema = object({
  'era?': oneOf('auto', 'handshake', 'stateless'),
  'version?': { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  'timeoutMs?': milliseconds,
  'logLevel?': text,
  'roots?': list(root),
  'headers?': { type: 'object', additionalProperties: text },
  'sampling?': boolean,
  'elicitation?': boolean,
});
