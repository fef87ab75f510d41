import { nameMatcher } from '@ccmcp/core/groups';
import { isObject } from '../is-object.ts';

/** Descriptions and fixed arguments of tools, by upstream name; `*` matches any text. */
export interface ToolOverrideOptions {
  /** Descriptions to show instead. */
  describe?: Readonly<Record<string, string>>;
  /** Arguments with fixed values. Clients do not see them in the schema, and a call that overrides one is rejected. */
  args?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Row = Readonly<Record<string, unknown>>;

/** Overrides the descriptions of an upstream's tools, and adds fixed arguments to calls. */
export class ToolOverrides {
  readonly #describe: Matcher<string>;
  readonly #args: Matcher<Row>;

  constructor({ describe = {}, args = {} }: ToolOverrideOptions) {
    this.#describe = toMatcher(describe);
    this.#args = toMatcher(args);
  }

  /** The fixed arguments of a tool; undefined if it has none. */
  fixedArgs(name: string): Row | undefined {
    const found = this.#args(name);
    return found.length === 0 ? undefined : Object.assign({}, ...found);
  }

  /** The row of a tool as clients see it. */
  toPublic(row: Row): Row {
    const name = row.name as string;
    const description = this.#describe(name).at(-1);
    const fixed = this.fixedArgs(name);
    return {
      ...row,
      ...(description !== undefined && { description }),
      ...(fixed && isObject(row.inputSchema) && { inputSchema: withoutProperties(row.inputSchema, fixed) }),
    };
  }
}

type Matcher<T> = (name: string) => readonly T[];

/** Returns the values whose key matches a name, the exact match last. */
function toMatcher<T>(values: Readonly<Record<string, T>>): Matcher<T> {
  const patterns = Object.entries(values)
    .filter(([key]) => key.includes('*'))
    .map(([key, value]) => ({ matches: nameMatcher(key), value }));
  return (name) => [
    ...patterns.filter(({ matches }) => matches(name)).map(({ value }) => value),
    ...(Object.hasOwn(values, name) ? [values[name] as T] : []),
  ];
}

function withoutProperties(schema: Row, names: Row): Row {
  const { properties, required } = schema;
  const isLeft = (name: unknown): boolean => !Object.hasOwn(names, name as string);
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isLeft(name))),
    }),
    ...(Array.isArray(required) && { required: required.filter(isLeft) }),
  };
}
