import {
  formatPointer,
  getOwn,
  isRecord,
  type Json,
  jsonEquals,
  type Path,
  recordOrEmpty,
  type Schema,
} from '../../shared/json.ts';
import type { Choices } from '../model/drafts.ts';
import type { Field } from './field.ts';
import { type Budget, createBudget, resolveSchema, spendBudget } from './resolve-schema.ts';
import {
  bestBranch,
  branchName,
  nonEmptyString,
  optionsOf,
  textFieldInfo,
  typeOf,
  withoutNull,
} from './schema-info.ts';

interface FieldPosition {
  readonly path: Path;
  readonly label: string;
  readonly required: boolean;
  readonly extra?: boolean;
}

// Required objects may be recursive; deeper ones are opened by hand.
const maxOpenDepth = 8;
// Limits on fields and on nested unions: the rest is shown as raw JSON.
const maxFields = 5000;
const maxUnionDepth = 32;

/** Builds the form fields of a value; the selected branches are their only state. */
export function buildFields(schema: unknown, value: Json | undefined, choices: Choices = {}): Field {
  return new FieldBuilder(schema, choices, { left: createBudget(maxFields), unions: 0 }).field(schema, value, {
    path: [],
    label: '',
    required: true,
  });
}

class FieldBuilder {
  readonly #root: unknown;
  readonly #choices: Choices;
  readonly #budget: Budget;
  /** Nesting depth of unions. */
  readonly #unionDepth: number;

  constructor(root: unknown, choices: Choices, { left, unions }: { left: Budget; unions: number }) {
    this.#root = root;
    this.#choices = choices;
    this.#budget = left;
    this.#unionDepth = unions;
  }

  field(given: unknown, value: Json | undefined, position: FieldPosition): Field {
    const whole = resolveSchema(given, this.#root);
    const isAffordable = spendBudget(this.#budget, 1 + countAlternatives(whole)) && this.#unionDepth <= maxUnionDepth;
    const { schema, nullable } = isAffordable ? withoutNull(whole, this.#root) : { schema: whole, nullable: false };
    const common = {
      ...position,
      label: nonEmptyString(schema.title) ?? nonEmptyString(whole.title) ?? position.label,
      description: nonEmptyString(whole.description) ?? nonEmptyString(schema.description),
      nullable,
      defaultValue: (whole.default ?? schema.default) as Json | undefined,
      value,
      schema,
    };
    if (value === null && nullable) return { kind: 'null', ...common };
    const known = isAffordable ? this.#typedField(common, schema, value, position) : undefined;
    return known ?? { kind: 'raw', ...common, ...rawText(value, schema) };
  }

  #typedField(
    common: Omit<Field, 'kind'> & FieldPosition,
    schema: Schema,
    value: Json | undefined,
    position: FieldPosition,
  ): Field | undefined {
    const options = optionsOf(schema, this.#root);
    if (options !== undefined) {
      const index = options.findIndex((option) => jsonEquals(option.value, value));
      return index === -1 && value !== undefined ? undefined : { kind: 'choice', ...common, options, index };
    }
    const branches = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(branches) && branches.length > 0) return this.#union(common, schema, branches, value, position);
    const type = typeOf(schema);
    if (Array.isArray(type)) {
      const { type: types, ...rest } = schema;
      return this.#union(
        common,
        rest,
        (types as string[]).map((each) => ({ type: each })),
        value,
        position,
      );
    }
    switch (type) {
      case 'string':
        if (value !== undefined && typeof value !== 'string') return undefined;
        return { kind: 'text', ...common, text: value ?? '', ...textFieldInfo(schema) };
      case 'number':
      case 'integer':
        if (typeof value === 'number' && !isRepresentable(value)) return undefined;
        if (value !== undefined && typeof value !== 'number' && typeof value !== 'string') return undefined;
        return { kind: 'number', ...common, text: numberText(value), isInteger: type === 'integer' };
      case 'boolean':
        return value === undefined || typeof value === 'boolean' ? { kind: 'boolean', ...common } : undefined;
      case 'null':
        return value === undefined || value === null ? { kind: 'null', ...common } : undefined;
      case 'array':
        return value === undefined || Array.isArray(value) ? this.#list(common, schema, value) : undefined;
      case 'object':
        return value === undefined || isRecord(value) ? this.#object(common, schema, value) : undefined;
      default:
        return undefined;
    }
  }

  #union(
    common: Omit<Field, 'kind'> & FieldPosition,
    schema: Schema,
    given: readonly unknown[],
    value: Json | undefined,
    position: FieldPosition,
  ): Field {
    const { anyOf: _any, oneOf: _one, title: _title, description: _words, ...shared } = schema;
    const branches = given.map((each) => {
      const branch = resolveSchema(each, this.#root);
      return {
        ...shared,
        ...branch,
        ...(isRecord(shared.properties) && {
          properties: { ...shared.properties, ...recordOrEmpty(branch.properties) },
        }),
      };
    });
    const chosen = this.#choices[formatPointer(position.path)];
    const branch = chosen !== undefined && chosen < branches.length ? chosen : bestBranch(branches, value, this.#root);
    // A union nested at the same path has the same pointer: the inner one picks its branch by value.
    const others = omitChoice(this.#choices, formatPointer(position.path));
    const planner = new FieldBuilder(this.#root, others, { left: this.#budget, unions: this.#unionDepth + 1 });
    const inner = planner.field(branches[branch], value, { ...position, label: '' });
    return { kind: 'union', ...common, branches: branches.map(branchName), branch, inner };
  }

  #list(common: Omit<Field, 'kind'> & FieldPosition, schema: Schema, value: Json | undefined): Field {
    const entries = (value ?? []) as readonly Json[];
    const item = isRecord(schema.items) ? schema.items : {};
    const options = optionsOf(resolveSchema(item, this.#root), this.#root);
    const isSet = new Set(entries.map((entry) => JSON.stringify(entry))).size === entries.length;
    const known = entries.every((entry) => options?.some((option) => jsonEquals(option.value, entry)));
    if (options !== undefined && schema.uniqueItems !== false && isSet && known) {
      return { kind: 'choices', ...common, options };
    }
    const first = Array.isArray(schema.prefixItems) ? (schema.prefixItems as unknown[]) : [];
    const items = entries.map((entry, index) =>
      this.field(index < first.length ? first[index] : item, entry, {
        path: [...common.path, index],
        label: String(index + 1),
        required: true,
      }),
    );
    const most = typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY;
    const closed = schema.items === false && entries.length >= first.length;
    const next = first[entries.length];
    return {
      kind: 'list',
      ...common,
      items,
      item: isRecord(next) ? next : item,
      canGrow: !closed && entries.length < most,
      open: common.required || value !== undefined,
    };
  }

  #object(common: Omit<Field, 'kind'> & FieldPosition, schema: Schema, value: Json | undefined): Field {
    const present = (value ?? {}) as Readonly<Record<string, Json>>;
    const open = value !== undefined || (common.required && common.path.length < maxOpenDepth);
    const properties = recordOrEmpty(schema.properties);
    const required = Array.isArray(schema.required) ? schema.required : [];
    const declared = Object.entries(open ? properties : {}).map(([name, each]) =>
      this.field(each, getOwn(present, name), {
        path: [...common.path, name],
        label: name,
        required: required.includes(name),
      }),
    );
    const more = schema.additionalProperties;
    const others = Object.keys(present).filter((name) => !Object.hasOwn(properties, name));
    const extra = others.map((name) =>
      this.field(findPatternSchema(schema, name) ?? (isRecord(more) ? more : {}), getOwn(present, name), {
        path: [...common.path, name],
        label: name,
        required: false,
        extra: true,
      }),
    );
    return {
      kind: 'object',
      ...common,
      fields: [...declared, ...extra],
      additional: additionalSchema(schema),
      open,
    };
  }
}

/** Schema of additional properties, or false. */
function additionalSchema({ additionalProperties: more, patternProperties, properties }: Schema): Schema | false {
  if (isRecord(more)) return more;
  if (more === false) return isRecord(patternProperties) ? {} : false;
  return more === true || isRecord(patternProperties) || properties === undefined ? {} : false;
}

function omitChoice(choices: Choices, pointer: string): Choices {
  const { [pointer]: _, ...rest } = choices;
  return rest;
}

/** Number of alternatives of a schema. */
function countAlternatives({ anyOf, oneOf, enum: values }: Schema): number {
  return [anyOf, oneOf, values].reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0);
}

// Patterns without groups and with few repetitions can't backtrack for long.
function isSafePattern(pattern: string): boolean {
  return pattern.length < 100 && !pattern.includes('(') && (pattern.match(/[*+?{]/g) ?? []).length <= 2;
}

function findPatternSchema(schema: Schema, name: string): Schema | undefined {
  const found = Object.entries(recordOrEmpty(schema.patternProperties)).find(([pattern]) => {
    try {
      return isSafePattern(pattern) && name.length < 100 && new RegExp(pattern, 'u').test(name);
    } catch {
      return false;
    }
  });
  return isRecord(found?.[1]) ? found[1] : undefined;
}

function isRepresentable(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number | string | undefined): string {
  return value === undefined ? '' : String(value);
}

function rawText(value: Json | undefined, schema: Schema): { text: string; isInvalid: boolean } {
  const message = typeOf(schema) !== undefined || 'enum' in schema || 'const' in schema;
  return {
    text: value === undefined ? '' : JSON.stringify(value, undefined, 2),
    isInvalid: value !== undefined && message,
  };
}
