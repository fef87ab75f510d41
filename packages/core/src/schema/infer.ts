/** A plain JSON Schema, 2020-12 or draft-07. Keywords that are not listed are allowed too. */
export interface JsonSchema extends JsonSchemaKeywords {
  readonly [keyword: string]: unknown;
}

type AnyJsonSchema = JsonSchema | JsonSchemaKeywords;

/** A JSON Schema as other libraries declare it, such as `JSONSchema7` or a type of typebox: an interface of keywords. */
export interface JsonSchemaKeywords {
  readonly $schema?: string | undefined;
  readonly $id?: string | undefined;
  readonly $ref?: string | undefined;
  readonly $anchor?: string | undefined;
  readonly $defs?: { readonly [name: string]: AnyJsonSchema | boolean } | undefined;
  readonly definitions?: { readonly [name: string]: AnyJsonSchema | boolean } | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly examples?: unknown;
  /** Any string, so that a widened schema compiles; the name is checked at run time. */
  readonly type?: JsonTypeName | (string & {}) | readonly (JsonTypeName | (string & {}))[] | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly properties?: { readonly [name: string]: AnyJsonSchema | boolean } | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: AnyJsonSchema | boolean | undefined;
  readonly patternProperties?: { readonly [pattern: string]: AnyJsonSchema | boolean } | undefined;
  readonly propertyNames?: AnyJsonSchema | boolean | undefined;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly items?: AnyJsonSchema | boolean | readonly (AnyJsonSchema | boolean)[] | undefined;
  readonly prefixItems?: readonly (AnyJsonSchema | boolean)[] | undefined;
  readonly contains?: AnyJsonSchema | boolean | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly allOf?: readonly (AnyJsonSchema | boolean)[] | undefined;
  readonly anyOf?: readonly (AnyJsonSchema | boolean)[] | undefined;
  readonly oneOf?: readonly (AnyJsonSchema | boolean)[] | undefined;
  readonly not?: AnyJsonSchema | boolean | undefined;
  readonly if?: AnyJsonSchema | boolean | undefined;
  readonly then?: AnyJsonSchema | boolean | undefined;
  readonly else?: AnyJsonSchema | boolean | undefined;
  /** The static type of typebox schemas; some of them have nothing else. */
  readonly '~kind'?: unknown;
  readonly '~unsafe'?: unknown;
}

/** The names that `type` knows. */
export type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** A schema of any library that implements Standard Schema v1 with JSON Schema conversion. */
export interface StandardSchema<In = unknown, Out = In> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Out> | Promise<StandardResult<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: JsonSchemaTarget }) => Record<string, unknown>;
      readonly output: (options: { readonly target: JsonSchemaTarget }) => Record<string, unknown>;
    };
  };
}

/** The JSON Schema dialects that are requested from a Standard Schema. */
export type JsonSchemaTarget = 'draft-2020-12' | 'draft-07';

/** The result of a Standard Schema: a value, or issues. */
export type StandardResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A validation issue of a Standard Schema. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** An object with a library schema per property. */
export type SchemaShape = Readonly<Record<string, StandardSchema>>;

/** Any accepted form of a schema. */
export type Schema = JsonSchema | JsonSchemaKeywords | StandardSchema | SchemaShape;

/** The type that a handler receives for the input schema `S`. */
export type InferInput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer Out }
    ? Out
    : unknown
  : IsShape<S> extends true
    ? Optionals<{ -readonly [K in keyof S]: InferInput<S[K]> }>
    : OrRecord<Infer<S, 'object'>>;

/** The type that a handler may return for the output schema `S`. */
export type InferOutput<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly input: infer In }
    ? In
    : unknown
  : IsShape<S> extends true
    ? Optionals<{ -readonly [K in keyof S]: InferOutput<S[K]> }>
    : FromJsonSchema<S>;

type IsShape<S> = [keyof S] extends [never]
  ? false
  : string extends keyof S
    ? false
    : S extends { readonly [K in keyof S]: { readonly '~standard': unknown } }
      ? true
      : false;

/** Properties that may be undefined may be missing. */
type Optionals<T> = Flat<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
  }
>;

/** The values that a JSON Schema literal allows. Anything else is `unknown`. */
export type FromJsonSchema<S> = Infer<S, unknown>;

type OrRecord<T> = unknown extends T ? Record<string, unknown> : T;

/**
 * `Kind` is the `type` if `S` has none: branches of `anyOf` and similar keywords inherit it. `Depth` grows by one at
 * each level; beyond the limit everything is `unknown`, so that no schema overloads the compiler.
 */
type Infer<S, Kind, Depth extends readonly unknown[] = []> = Depth['length'] extends 16
  ? unknown
  : S extends boolean
    ? S extends false
      ? never
      : unknown
    : string extends keyof S
      ? unknown
      : S extends { readonly '~unsafe': infer Value }
        ? Value
        : S extends { readonly $ref: string }
          ? unknown
          : S extends { readonly const: infer Value }
            ? Value
            : S extends { readonly enum: readonly (infer Value)[] }
              ? Value
              : Own<S, KindOf<S, Kind>, Deeper<Depth>> &
                  AllOf<S, KindOf<S, Kind>, Deeper<Depth>> &
                  OneOrMore<S, 'anyOf', KindOf<S, Kind>, Deeper<Depth>> &
                  OneOrMore<S, 'oneOf', KindOf<S, Kind>, Deeper<Depth>>;

type Deeper<Depth extends readonly unknown[]> = [...Depth, unknown];

type KindOf<S, Kind> = S extends { readonly type: infer T } ? (T extends readonly (infer One)[] ? One : T) : Kind;

/** The type described by the keywords of `S`, without those that combine schemas. Distributes over a union of kinds. */
type Own<S, Kind, Depth extends readonly unknown[]> = unknown extends Kind
  ? unknown
  : Kind extends 'string'
    ? string
    : Kind extends 'number' | 'integer'
      ? number
      : Kind extends 'boolean'
        ? boolean
        : Kind extends 'null'
          ? null
          : Kind extends 'array'
            ? ArrayOf<S, Depth>
            : Kind extends 'object'
              ? ObjectOf<S, Depth>
              : unknown;

type OneOrMore<S, Keyword extends string, Kind, Depth extends readonly unknown[]> = S extends {
  readonly [K in Keyword]: infer Branches extends readonly unknown[];
}
  ? { [I in keyof Branches]: Infer<Branches[I], Kind, Depth> }[number]
  : unknown;

type AllOf<S, Kind, Depth extends readonly unknown[]> = S extends {
  readonly allOf: infer Branches extends readonly unknown[];
}
  ? Intersection<Branches, Kind, Depth>
  : unknown;

type Intersection<
  Branches extends readonly unknown[],
  Kind,
  Depth extends readonly unknown[],
> = Branches extends readonly [infer First, ...infer Others]
  ? Infer<First, Kind, Depth> & Intersection<Others, Kind, Depth>
  : unknown;

type ObjectOf<S, Depth extends readonly unknown[]> = S extends { readonly properties: infer Properties }
  ? string extends keyof Properties
    ? Record<string, unknown>
    : [keyof Properties] extends [never]
      ? Dictionary<S, Depth>
      : WithExtras<S, Known<Properties, RequiredOf<S>, Depth>, Depth>
  : Dictionary<S, Depth>;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name extends string)[] }
  ? string extends Name
    ? never
    : Name
  : never;

type Known<Properties, Required extends string, Depth extends readonly unknown[]> = Flat<
  { -readonly [K in keyof Properties as K extends Required ? K : never]: Infer<Properties[K], unknown, Depth> } & {
    -readonly [K in keyof Properties as K extends Required ? never : K]?: Infer<Properties[K], unknown, Depth>;
  } & { [K in Exclude<Required, keyof Properties>]: unknown }
>;

type Flat<T> = { [K in keyof T]: T[K] };

type WithExtras<S, Props, Depth extends readonly unknown[]> = S extends { readonly patternProperties: object }
  ? Props & Record<string, unknown>
  : S extends { readonly additionalProperties: infer Extra }
    ? Extra extends boolean
      ? Props
      : Props & Record<string, Infer<Extra, unknown, Depth> | Props[keyof Props]>
    : Props;

/** An object without named properties. One that only combines schemas is left to them. */
type Dictionary<S, Depth extends readonly unknown[]> = S extends { readonly patternProperties: object }
  ? Record<string, unknown>
  : S extends { readonly additionalProperties: infer Extra }
    ? Record<string, Infer<Extra, unknown, Depth>>
    : [RequiredOf<S>] extends [never]
      ? Extract<keyof S, 'anyOf' | 'oneOf' | 'allOf'> extends never
        ? Record<string, unknown>
        : unknown
      : Record<string, unknown> & Record<RequiredOf<S>, unknown>;

type ArrayOf<S, Depth extends readonly unknown[]> = S extends { readonly prefixItems: infer Items }
  ? TupleOf<S, Items, S extends { readonly items: infer Rest } ? Rest : true, Depth>
  : S extends { readonly items: infer Items }
    ? Items extends readonly unknown[]
      ? TupleOf<S, Items, S extends { readonly additionalItems: infer Rest } ? Rest : true, Depth>
      : Infer<Items, unknown, Depth>[]
    : unknown[];

type TupleOf<S, Items, Rest, Depth extends readonly unknown[]> = Items extends readonly unknown[]
  ? number extends Items['length']
    ? unknown[]
    : Rest extends false
      ? Tuple<Items, MinItems<S>, Depth>
      : [...Tuple<Items, MinItems<S>, Depth>, ...Infer<Rest, unknown, Depth>[]]
  : unknown[];

type MinItems<S> = S extends { readonly minItems: infer Count } ? Count : 0;

/** The first `Min` items are there, the others may be missing. */
type Tuple<
  Items extends readonly unknown[],
  Min,
  Depth extends readonly unknown[],
  Done extends unknown[] = [],
> = Items extends readonly [infer First, ...infer Others]
  ? Done['length'] extends Min
    ? [...Done, ...OptionalItems<Items, Depth>]
    : Tuple<Others, Min, Depth, [...Done, Infer<First, unknown, Depth>]>
  : Done;

type OptionalItems<Items extends readonly unknown[], Depth extends readonly unknown[]> = Items extends readonly [
  infer First,
  ...infer Others,
]
  ? [Infer<First, unknown, Depth>?, ...OptionalItems<Others, Depth>]
  : [];
