import type { Json, Path, Schema } from '../../shared/json.ts';

interface FieldBase {
  readonly path: Path;
  /** Label of the field. */
  readonly label: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  /** Whether `null` is allowed. */
  readonly nullable: boolean;
  /** The default of the server if the value is absent. */
  readonly defaultValue?: Json | undefined;
  /** Current value; undefined: not sent. */
  readonly value: Json | undefined;
  readonly schema: Schema;
  /** True for properties that the schema does not declare. */
  readonly extra?: boolean | undefined;
}

/** One option of a choice. */
export interface Option {
  readonly value: Json;
  readonly label: string;
}

export interface TextField extends FieldBase {
  readonly kind: 'text';
  readonly text: string;
  readonly format?: string | undefined;
  /** Whether it holds Base64 bytes. */
  readonly isFile: boolean;
  readonly mediaType?: string | undefined;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number';
  readonly text: string;
  readonly isInteger: boolean;
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

/** One of several values. `index` is -1 if none is selected. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice';
  readonly options: readonly Option[];
  readonly index: number;
}

/** Several of a set of values, each at most once. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices';
  readonly options: readonly Option[];
}

export interface ObjectField extends FieldBase {
  readonly kind: 'object';
  /** The visible fields. */
  readonly fields: readonly Field[];
  /** Schema of additional properties, or false. */
  readonly additional: Schema | false;
  /** Whether it is present or expanded. */
  readonly open: boolean;
}

export interface ListField extends FieldBase {
  readonly kind: 'list';
  readonly items: readonly Field[];
  readonly item: Schema;
  readonly canGrow: boolean;
  readonly open: boolean;
}

/** One of several schemas. */
export interface UnionField extends FieldBase {
  readonly kind: 'union';
  readonly branches: readonly string[];
  readonly branch: number;
  readonly inner: Field;
}

export interface NullField extends FieldBase {
  readonly kind: 'null';
}

/** Raw JSON: the schema is unknown, or the value does not match it. */
export interface RawField extends FieldBase {
  readonly kind: 'raw';
  readonly text: string;
  readonly isInvalid: boolean;
}

/** A form field for one path of a value. */
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
