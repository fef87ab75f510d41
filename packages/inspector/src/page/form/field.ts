import type { Json, Path, Schema } from './json.ts';

interface Common {
  readonly path: Path;
  /** What stands before the field. */
  readonly label: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  /** Whether `null` may stand here instead. */
  readonly nullable: boolean;
  /** What the server takes where nothing is sent. */
  readonly byDefault?: Json | undefined;
  /** What stands there now; undefined: nothing is sent. */
  readonly value: Json | undefined;
  readonly schema: Schema;
  /** True for what the schema does not know of. */
  readonly extra?: boolean | undefined;
}

/** One of several values that may be chosen. */
export interface Option {
  readonly value: Json;
  readonly label: string;
}

export interface TextField extends Common {
  readonly kind: 'text';
  readonly text: string;
  readonly format?: string | undefined;
  /** Whether bytes are wanted, in Base64. */
  readonly isFile: boolean;
  readonly mediaType?: string | undefined;
}

export interface NumberField extends Common {
  readonly kind: 'number';
  readonly text: string;
  readonly whole: boolean;
}

export interface BooleanField extends Common {
  readonly kind: 'boolean';
}

/** One of several values. `index` is -1 where none of them stands there. */
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  readonly index: number;
}

/** Some of several values, each at most once. */
export interface ChoicesField extends Common {
  readonly kind: 'choices';
  readonly options: readonly Option[];
}

export interface ObjectField extends Common {
  readonly kind: 'object';
  /** Fields that are shown. */
  readonly fields: readonly Field[];
  /** What more may be added: a schema, or false. */
  readonly more: Schema | false;
  /** Whether it is there, or only could be. */
  readonly open: boolean;
}

export interface ListField extends Common {
  readonly kind: 'list';
  readonly items: readonly Field[];
  readonly item: Schema;
  readonly canGrow: boolean;
  readonly open: boolean;
}

/** One of several kinds of values. */
export interface UnionField extends Common {
  readonly kind: 'union';
  readonly branches: readonly string[];
  readonly branch: number;
  readonly inner: Field;
}

export interface NullField extends Common {
  readonly kind: 'null';
}

/** Any JSON: nothing is known of it, or what stands there is not what the schema wants. */
export interface RawField extends Common {
  readonly kind: 'raw';
  readonly text: string;
  readonly unfitting: boolean;
}

/** A part of a form: what is shown for a place in a value. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | ObjectField
  | ListField
  | UnionField
  | NullField
  | RawField;
