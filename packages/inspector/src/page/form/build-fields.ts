import { bestBranch, branchName } from './union-branches.ts';
import { type Effort, effort, spend } from './resolve-schema.ts';
import type { Field } from './field.ts';
import { isRecord, type Json, type Path, pointerOf, sameJson, type Schema } from './json.ts';
import { resolved } from './resolve-schema.ts';
import { optionsOf, textFacts, textOf, typeOf, withoutNull } from './schema-info.ts';

/** Which branch of a union was chosen, by JSON pointer. */
export type Choices = Readonly<Record<string, number>>;

interface Place {
  readonly path: Path;
  readonly label: string;
  readonly required: boolean;
  readonly extra?: boolean;
}

// What must be there may want itself; beyond this depth it is opened by hand.
const deepest = 8;
// So many fields and choices are laid out, and so many unions within each other: what is beyond is shown as JSON.
const most = 5000;
const mostUnions = 32;

/** The form for a value: a view of it, without a state of its own but the chosen branches. */
export function fieldsOf(schema: unknown, value: Json | undefined, choices: Choices = {}): Field {
  return new Planner(schema, choices, { left: effort(most), unions: 0 }).field(schema, value, {
    path: [],
    label: '',
    required: true,
  });
}

class Planner {
  readonly #root: unknown;
  readonly #choices: Choices;
  readonly #left: Effort;
  /** How many unions this is in. */
  readonly #unions: number;

  constructor(root: unknown, choices: Choices, { left, unions }: { left: Effort; unions: number }) {
    this.#root = root;
    this.#choices = choices;
    this.#left = left;
    this.#unions = unions;
  }

  field(given: unknown, value: Json | undefined, place: Place): Field {
    const whole = resolved(given, this.#root);
    const isAffordable = spend(this.#left, 1 + variety(whole)) && this.#unions <= mostUnions;
    const { schema, nullable } = isAffordable ? withoutNull(whole, this.#root) : { schema: whole, nullable: false };
    const common = {
      ...place,
      label: textOf(schema.title) ?? textOf(whole.title) ?? place.label,
      description: textOf(whole.description) ?? textOf(schema.description),
      nullable,
      byDefault: (whole.default ?? schema.default) as Json | undefined,
      value,
      schema,
    };
    if (value === null && nullable) return { kind: 'null', ...common };
    const known = isAffordable ? this.#known(common, schema, value, place) : undefined;
    return known ?? { kind: 'raw', ...common, ...rawText(value, schema) };
  }

  #known(
    common: Omit<Field, 'kind'> & Place,
    schema: Schema,
    value: Json | undefined,
    place: Place,
  ): Field | undefined {
    const options = optionsOf(schema, this.#root);
    if (options !== undefined) {
      const index = options.findIndex((option) => sameJson(option.value, value));
      return index === -1 && value !== undefined ? undefined : { kind: 'choice', ...common, options, index };
    }
    const branches = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(branches) && branches.length > 0) return this.#union(common, schema, branches, value, place);
    const type = typeOf(schema);
    if (Array.isArray(type)) {
      const { type: types, ...rest } = schema;
      return this.#union(
        common,
        rest,
        (types as string[]).map((each) => ({ type: each })),
        value,
        place,
      );
    }
    switch (type) {
      case 'string':
        if (value !== undefined && typeof value !== 'string') return undefined;
        return { kind: 'text', ...common, text: value ?? '', ...textFacts(schema) };
      case 'number':
      case 'integer':
        if (typeof value === 'number' && !isPlain(value)) return undefined;
        if (value !== undefined && typeof value !== 'number' && typeof value !== 'string') return undefined;
        return { kind: 'number', ...common, text: numberText(value), whole: type === 'integer' };
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
    common: Omit<Field, 'kind'> & Place,
    schema: Schema,
    given: readonly unknown[],
    value: Json | undefined,
    place: Place,
  ): Field {
    const { anyOf: _any, oneOf: _one, title: _title, description: _words, ...shared } = schema;
    const branches = given.map((each) => {
      const branch = resolved(each, this.#root);
      return {
        ...shared,
        ...branch,
        ...(isRecord(shared.properties) && { properties: { ...shared.properties, ...asRecord(branch.properties) } }),
      };
    });
    const chosen = this.#choices[pointerOf(place.path)];
    const branch = chosen !== undefined && chosen < branches.length ? chosen : bestBranch(branches, value, this.#root);
    // A union in a union at the same place has the same pointer: the inner one finds its branch by the value.
    const others = without(this.#choices, pointerOf(place.path));
    const planner = new Planner(this.#root, others, { left: this.#left, unions: this.#unions + 1 });
    const inner = planner.field(branches[branch], value, { ...place, label: '' });
    return { kind: 'union', ...common, branches: branches.map(branchName), branch, inner };
  }

  #list(common: Omit<Field, 'kind'> & Place, schema: Schema, value: Json | undefined): Field {
    const entries = (value ?? []) as readonly Json[];
    const item = isRecord(schema.items) ? schema.items : {};
    const options = optionsOf(resolved(item, this.#root), this.#root);
    const isSet = new Set(entries.map((entry) => JSON.stringify(entry))).size === entries.length;
    const known = entries.every((entry) => options?.some((option) => sameJson(option.value, entry)));
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

  #object(common: Omit<Field, 'kind'> & Place, schema: Schema, value: Json | undefined): Field {
    const present = (value ?? {}) as Readonly<Record<string, Json>>;
    const open = value !== undefined || (common.required && common.path.length < deepest);
    const properties = asRecord(schema.properties);
    const required = Array.isArray(schema.required) ? schema.required : [];
    const declared = Object.entries(open ? properties : {}).map(([name, each]) =>
      this.field(each, own(present, name), {
        path: [...common.path, name],
        label: name,
        required: required.includes(name),
      }),
    );
    const more = schema.additionalProperties;
    const others = Object.keys(present).filter((name) => !Object.hasOwn(properties, name));
    const extra = others.map((name) =>
      this.field(patternFor(schema, name) ?? (isRecord(more) ? more : {}), own(present, name), {
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
      more: addable(schema),
      open,
    };
  }
}

/** What may be added to an object by name. */
function addable({ additionalProperties: more, patternProperties, properties }: Schema): Schema | false {
  if (isRecord(more)) return more;
  if (more === false) return isRecord(patternProperties) ? {} : false;
  return more === true || isRecord(patternProperties) || properties === undefined ? {} : false;
}

function own(record: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function without(choices: Choices, pointer: string): Choices {
  const { [pointer]: _, ...rest } = choices;
  return rest;
}

/** How much there is to choose from. */
function variety({ anyOf, oneOf, enum: values }: Schema): number {
  return [anyOf, oneOf, values].reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 0), 0);
}

// Without groups and with few repetitions none takes long, whatever name it is tried on.
function isQuick(pattern: string): boolean {
  return pattern.length < 100 && !pattern.includes('(') && (pattern.match(/[*+?{]/g) ?? []).length <= 2;
}

function patternFor(schema: Schema, name: string): Schema | undefined {
  const found = Object.entries(asRecord(schema.patternProperties)).find(([pattern]) => {
    try {
      return isQuick(pattern) && name.length < 100 && new RegExp(pattern, 'u').test(name);
    } catch {
      return false;
    }
  });
  return isRecord(found?.[1]) ? found[1] : undefined;
}

function isPlain(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number | string | undefined): string {
  return value === undefined ? '' : String(value);
}

function rawText(value: Json | undefined, schema: Schema): { text: string; unfitting: boolean } {
  const says = typeOf(schema) !== undefined || 'enum' in schema || 'const' in schema;
  return {
    text: value === undefined ? '' : JSON.stringify(value, undefined, 2),
    unfitting: value !== undefined && says,
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
