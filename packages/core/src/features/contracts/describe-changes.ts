import { isEqualJson } from '../../jsonrpc/equal-json.ts';
import { briefJson, escapeUnseen } from '../../jsonrpc/text.ts';
import { formatPointer, quoteShort } from '../../schema/problems.ts';
import { type Conjunction, itemSchemas, madeFor, otherMembers } from '../../schema/subsumption/conjunction.ts';
import { createNode, type Node, type SchemaNode } from '../../schema/subsumption/schema-node.ts';
import type { Verdict } from '../../schema/subsumption/prover.ts';
import { Subsumption } from '../../schema/subsumption/subsumption.ts';
import { numbers, typeNamesOf, types } from '../../schema/subsumption/type-set.ts';
import type { Compatibility, SchemaChange } from './schema-change.ts';

/** Two versions of something. */
interface Versions<T> {
  readonly before: T;
  readonly after: T;
}

/** A place in both schemas. */
interface Place extends Versions<readonly Node[]> {
  /** What it is called in sentences. */
  readonly subject: string;
  /** How far into the value it is. */
  readonly level: number;
  /** All values that have to be valid are: changes are compatible ('safe'), or there are none ('same'). */
  readonly known?: 'safe' | 'same' | undefined;
}

/** A place with its schemas combined. */
interface View extends Place {
  readonly was: Conjunction;
  readonly is: Conjunction;
}

/** The maximum changes to list, and places to compare. */
const maxChanges = 200;
const maxPlaces = 5000;
const maxLevel = 64;
/** The maximum values to name in a sentence. */
const maxNamed = 5;

/** Describes the changes of a schema, with the consequences of each. */
export function describeChanges(versions: Versions<Node>, direction: 'input' | 'output'): readonly SchemaChange[] {
  return new Description(direction).describe({ before: [versions.before], after: [versions.after] });
}

class Description {
  readonly #direction: 'input' | 'output';
  readonly #subsumption = new Subsumption();
  readonly #changes = new Map<string, SchemaChange>();
  readonly #seen = new Set<string>();
  /** The number of changes that are breaking or undecided. */
  #harmful = 0;
  /** The number of places that were compared before. */
  #repeated = 0;

  constructor(direction: 'input' | 'output') {
    this.#direction = direction;
  }

  describe(versions: Versions<readonly Node[]>): readonly SchemaChange[] {
    this.#compare({ ...versions, subject: this.#direction === 'input' ? 'the arguments' : 'the result', level: 0 });
    const changes = [...this.#changes.values()];
    if (changes.length <= maxChanges) return changes;
    const rest = changes.slice(maxChanges);
    const kind = (['breaking', 'undecided', 'compatible'] as const).find((each) =>
      rest.some((one) => one.kind === each),
    );
    return [
      ...changes.slice(0, maxChanges),
      { kind: kind ?? 'wording', path: '', text: `there are ${rest.length} more changes` },
    ];
  }

  /** Whether the values of the side that has to fit are valid for these schemas of the other side. */
  #fits({ before, after, level }: Place, goals: readonly Node[]): Verdict {
    const isInput = this.#direction === 'input';
    return this.#subsumption.impliesAll(isInput ? before : after, goals, { isClosed: isInput, level });
  }

  #add(kind: Compatibility, path: string, text: string): void {
    const key = `${kind} ${path} ${text}`;
    if (this.#changes.has(key)) return;
    this.#changes.set(key, { kind, path, text: escapeUnseen(text) });
    if (kind === 'breaking' || kind === 'undecided') this.#harmful += 1;
  }

  /** Adds a change whose consequence depends on whether values are valid for `goals`. */
  #addConstraint(place: Place, change: { path: string; text: string; goals: readonly Node[] }): void {
    if (place.known === 'same') return;
    const kind = place.known === 'safe' ? 'compatible' : kindOf(this.#fits(place, change.goals));
    this.#add(kind, change.path, change.text);
  }

  #compare(given: Place): void {
    const subsumption = this.#subsumption;
    const key = `${subsumption.keyOf(given.before)} ${subsumption.keyOf(given.after)} ${given.known}`;
    if (this.#seen.has(key)) {
      this.#repeated += 1;
      return;
    }
    this.#seen.add(key);
    const verdict = this.#fits(given, this.#direction === 'input' ? given.after : given.before);
    const place: Place = { ...given, known: given.known === 'same' ? 'same' : this.#knownOf(given, verdict) };
    const [harmful, repeated] = [this.#harmful, this.#repeated];
    if (this.#seen.size < maxPlaces && place.level < maxLevel && this.#changes.size <= maxChanges * 2) {
      this.#compareParts(place);
    }
    // What a recursive schema repeats is reported where it is first.
    const isReported = this.#harmful > harmful || (place.level > 0 && this.#repeated > repeated);
    if (place.known !== undefined || isReported) return;
    // The parts don't say it, or can't be told apart.
    const path = pathOf(subsumption.combine(place.after), '');
    const text = subsumption.isExhausted
      ? `the schema of ${place.subject} is too large to be compared whole`
      : verdict === 'no'
        ? `the schema of ${place.subject} does not allow the same values as before`
        : `the schema of ${place.subject} changed in a way that can't be decided`;
    this.#add(kindOf(verdict), path, text);
  }

  #knownOf({ before, after, level, known }: Place, verdict: Verdict): Place['known'] {
    if (verdict !== 'yes') return known;
    const options = { isClosed: false, level };
    const [from, to] = this.#direction === 'input' ? [after, before] : [before, after];
    return this.#subsumption.impliesAll(from, to, options) === 'yes' ? 'same' : 'safe';
  }

  #compareParts(place: Place): void {
    const before = this.#withoutNull(place.before);
    const after = this.#withoutNull(place.after);
    const was = this.#subsumption.combine(before.nodes);
    const is = this.#subsumption.combine(after.nodes);
    const view: View = { ...place, was, is };
    this.#compareNotes(view);
    if (alternativesOf(was) === undefined || alternativesOf(is) === undefined)
      this.#compareTypes(view, before.isNullable, after.isNullable);
    this.#compareLimits(view);
    this.#compareFacts(view);
    if (was.types & is.types & types.object) this.#compareObjects(view);
    if (was.types & is.types & types.array) this.#compareArrays(view);
    this.#compareAlternatives(view);
  }

  /** Schemas of values that may be null, as those of the other values. */
  #withoutNull(nodes: readonly Node[]): { nodes: readonly Node[]; isNullable: boolean } {
    const { choices, nodes: own } = this.#subsumption.combine(nodes);
    const [choice] = choices;
    if (choices.length !== 1 || choice === undefined) return { nodes, isNullable: false };
    const parts = choice.owner.anyOf ?? choice.owner.oneOf ?? [];
    const [value] = parts.filter((part) => !isNull(part));
    if (parts.length !== 2 || value === undefined || !parts.some(isNull)) return { nodes, isNullable: false };
    return { nodes: [...own.filter((node) => node !== choice.owner), choice.rest, value], isNullable: true };
  }

  #compareNotes({ was, is, subject }: View): void {
    const [old, now] = [notesOf(was), notesOf(is)];
    for (const name of new Set([...old.keys(), ...now.keys()])) {
      const [one, other] = [old.get(name), now.get(name)];
      if (one !== undefined && other !== undefined && isEqualJson(one.value, other.value)) continue;
      const how = one === undefined ? 'is new' : other === undefined ? 'is gone' : 'changed';
      this.#add('wording', (other ?? one)?.path ?? '', `the ${noteName(name)} of ${subject} ${how}`);
    }
  }

  #compareTypes(view: View, wasNullable: boolean, isNullable: boolean): void {
    const { was, is, subject } = view;
    const [old, now] = [was.types | (wasNullable ? types.null : 0), is.types | (isNullable ? types.null : 0)];
    const [oldValues, values] = [listedValues(was), listedValues(is)];
    const goal = this.#direction === 'input' ? is : was;
    const goalNull = (this.#direction === 'input' ? isNullable : wasNullable) ? [null] : [];
    if (oldValues !== undefined || values !== undefined) {
      const goals =
        listedValues(goal) === undefined ? [] : [createNode({ enum: [...(goal.values ?? []), ...goalNull] })];
      this.#compareValues(view, { oldValues, values, goals });
      if ((oldValues ?? values) === undefined || (oldValues !== undefined && values !== undefined)) return;
    }
    if (old === now) return;
    const path = pathOf(is.nodes.some((node) => node.types !== undefined) ? is : was, 'type', 'types');
    const goals = [createNode({ types: this.#direction === 'input' ? now : old })];
    const [lost, gained] = [old & ~now, now & ~old];
    if ((oldValues ?? values) !== undefined && lost === 0) return;
    const text =
      lost === types.fraction && gained === 0
        ? `${subject} must be an integer now, not just a number`
        : gained === types.fraction && lost === 0
          ? `${subject} can be any number now, not only an integer`
          : gained === 0
            ? `${subject} can't be ${listOf(typeNamesOf(lost))} any more`
            : lost === 0
              ? `${subject} can be ${listOf(typeNamesOf(gained))} too`
              : `the type of ${subject} changed from ${listOf(typeNamesOf(old))} to ${listOf(typeNamesOf(now))}`;
    this.#addConstraint(view, { path, text, goals });
  }

  #compareValues(
    view: View,
    change: {
      oldValues: readonly unknown[] | undefined;
      values: readonly unknown[] | undefined;
      goals: readonly Node[];
    },
  ): void {
    const { subject, was, is } = view;
    const { oldValues, values, goals } = change;
    if (values === undefined || oldValues === undefined) {
      const path = pathOf(values === undefined ? was : is, 'enum', 'enum', 'const');
      const text =
        values === undefined
          ? `${subject} can have other values than ${nameValues(oldValues ?? [])} now`
          : `${subject} must be ${nameValues(values)} now`;
      this.#addConstraint(view, { path, text, goals });
      return;
    }
    const path = pathOf(is, 'enum', 'enum', 'const');
    const lost = oldValues.filter((value) => !values.some((other) => isEqualJson(value, other)));
    const gained = values.filter((value) => !oldValues.some((other) => isEqualJson(value, other)));
    const isInput = this.#direction === 'input';
    if (lost.length > 0) {
      const text = `${subject} can't be ${nameValues(lost)} any more`;
      this.#addConstraint(view, { path, text, goals: isInput ? goals : [] });
    }
    if (gained.length > 0) {
      const text = `${subject} can be ${nameValues(gained)} too`;
      this.#addConstraint(view, { path, text, goals: isInput ? [] : goals });
    }
  }

  #compareLimits(view: View): void {
    const { was, is } = view;
    for (const limit of limits) {
      if ((was.types & is.types & limit.types) === 0) continue;
      const [old, now] = [limit.read(was), limit.read(is)];
      if (old?.value === now?.value && old?.isOpen === now?.isOpen) continue;
      const goal = this.#direction === 'input' ? now : old;
      const goals = goal === undefined ? [] : [createNode({ [goal.keyword]: goal.value })];
      const path = pathOf(now === undefined ? was : is, (now ?? old)?.keyword ?? '');
      this.#addConstraint(view, { path, text: describeLimit(limit.name, view.subject, old, now), goals });
    }
  }

  /** Compares keywords as a whole. */
  #compareFacts(view: View): void {
    const { was, is, subject } = view;
    const { keys } = this.#subsumption;
    for (const { name, parts } of facts) {
      const [old, now] = [was, is].map((all) => {
        const found = all.nodes.flatMap((node) => parts(node, all) ?? []);
        return new Map(found.map((fact) => [keys.of(fact), fact]));
      }) as [Map<string, SchemaNode>, Map<string, SchemaNode>];
      const lost = [...old].filter(([key]) => !now.has(key));
      const gained = [...now].filter(([key]) => !old.has(key));
      if (lost.length === 0 && gained.length === 0) continue;
      const [, shown] = (gained[0] ?? lost[0]) as [string, SchemaNode];
      const how = lost.length === 0 ? 'is new' : gained.length === 0 ? 'is gone' : 'changed';
      const goals = (this.#direction === 'input' ? gained : lost).map(([, fact]) => fact);
      this.#addConstraint(view, { path: shown.pointer, text: `the ${name} of ${subject} ${how}`, goals });
    }
  }

  #compareObjects(view: View): void {
    const { was, is } = view;
    const [old, now] = [propertiesOf(was), propertiesOf(is)];
    for (const name of new Set([...old, ...now, ...was.required, ...is.required]))
      this.#compareMember(view, name, { wasNamed: old.has(name), isNamed: now.has(name) });
    const patterns = new Set(
      [was, is].flatMap(({ objects }) => objects.flatMap((group) => [...(group.patternProperties?.keys() ?? [])])),
    );
    for (const pattern of patterns) {
      const [before, after] = [patternSchemas(was, pattern), patternSchemas(is, pattern)];
      const subject = `each member like ${quoteShort(pattern)}`;
      this.#compare({ before, after, subject, level: view.level + 1, known: view.known });
    }
    const [before, after] = [otherMembers(was), otherMembers(is)];
    if (before.includes(false) === after.includes(false)) {
      const subject = view.level === 0 ? 'other members' : `other members of ${view.subject}`;
      if (before.length + after.length > 0)
        this.#compare({ before, after, subject, level: view.level + 1, known: view.known });
      return;
    }
    const isRejected = after.includes(false);
    const whose =
      view.level === 0 && this.#direction === 'input' ? 'other arguments' : `other members of ${view.subject}`;
    const path = pathOf(isRejected ? is : was, 'additionalProperties');
    const goals = isRejected === (this.#direction === 'input') ? [createNode({ additionalProperties: false })] : [];
    this.#addConstraint(view, { path, text: `${whose} are ${isRejected ? 'rejected' : 'allowed'} now`, goals });
  }

  #compareMember(view: View, name: string, { wasNamed, isNamed }: { wasNamed: boolean; isNamed: boolean }): void {
    const { was, is, known } = view;
    const subject = quoteShort(name);
    const before = this.#subsumption.member(was, name);
    const after = this.#subsumption.member(is, name);
    const [wasRequired, isRequired] = [was.required.has(name), is.required.has(name)];
    const place = memberPath(isNamed ? is : was, name) ?? pathOf(isRequired ? is : was, 'required');
    const level = view.level + 1;
    if (wasNamed && isNamed) this.#compare({ before, after, subject, level, known });
    if (wasNamed === isNamed) {
      if (wasRequired === isRequired) return;
      const goals = isRequired === (this.#direction === 'input') ? [createNode({ required: [name] })] : [];
      this.#addConstraint(view, {
        path: place,
        text: `${subject} is ${isRequired ? 'required now' : 'no longer required'}`,
        goals,
      });
      return;
    }
    if (isNamed) {
      if (this.#subsumption.mentions(was).has(name) && !wasRequired) return;
      const goals = this.#direction === 'input' ? this.#memberGoals(is, name) : this.#memberGoals(was, name);
      const kind = known === undefined ? kindOf(this.#fits(view, goals)) : 'compatible';
      this.#add(kind, place, `${subject} is new and ${isRequired ? 'required' : 'optional'}`);
    } else if (!this.#subsumption.mentions(is).has(name)) {
      // Values with it may still be valid, but it does nothing for those who rely on it.
      this.#add('breaking', place, `${subject} is gone`);
    }
  }

  /** What a schema says about one member. */
  #memberGoals(all: Conjunction, name: string): Node[] {
    const schemas = this.#subsumption.member(all, name);
    const goals: Node[] = schemas.map((schema) => createNode({ properties: new Map([[name, schema]]) }));
    return all.required.has(name) ? [...goals, createNode({ required: [name] })] : goals;
  }

  #compareArrays(view: View): void {
    const { was, is, subject, known } = view;
    const prefix = Math.max(0, ...[...was.lists, ...is.lists].map(({ prefixItems }) => prefixItems?.length ?? 0));
    const level = view.level + 1;
    for (let index = 0; index < Math.min(prefix, 50); index += 1) {
      const each = `item ${index} of ${subject}`;
      this.#compare({ before: itemSchemas(was, index), after: itemSchemas(is, index), subject: each, level, known });
    }
    const rest = prefix === 0 ? `each item of ${subject}` : `each further item of ${subject}`;
    this.#compare({ before: itemSchemas(was, prefix), after: itemSchemas(is, prefix), subject: rest, level, known });
  }

  #compareAlternatives(view: View): void {
    const { was, is, subject, known } = view;
    const [old, now] = [alternativesOf(was), alternativesOf(is)];
    if (old === undefined || now === undefined) {
      const [node, isNew] = old === undefined ? [now?.node, true] : [old.node, false];
      if (node === undefined) return;
      const goals =
        isNew === (this.#direction === 'input') ? [createNode({ anyOf: node.anyOf, oneOf: node.oneOf })] : [];
      const text = isNew
        ? `${subject} must match one of some alternatives now`
        : `${subject} has no alternatives any more`;
      this.#addConstraint(view, { path: node.pointer, text, goals });
      return;
    }
    const { keys } = this.#subsumption;
    const left = [...now.parts];
    const lost = old.parts.filter((part) => {
      const index = left.findIndex((other) => keys.of(other) === keys.of(part));
      if (index < 0) return true;
      const [same] = left.splice(index, 1);
      this.#compare({
        before: [part],
        after: [same as Node],
        subject: `an alternative of ${subject}`,
        level: view.level,
        known: 'same',
      });
      return false;
    });
    for (const part of lost) {
      const index = left.findIndex((other) => isAlike(part, other) || (lost.length === 1 && left.length === 1));
      if (index >= 0) {
        const [other] = left.splice(index, 1);
        this.#compare({
          before: [part],
          after: [other as Node],
          subject: `an alternative of ${subject}`,
          level: view.level,
          known,
        });
        continue;
      }
      const kind = known === 'same' ? undefined : this.#kindOfLost(view, part);
      if (kind !== undefined) this.#add(kind, pointerOf(part, old.node), `an alternative of ${subject} is gone`);
    }
    for (const part of left) {
      const kind = known === 'same' ? undefined : this.#kindOfGained(view, part, now.node);
      if (kind !== undefined) this.#add(kind, pointerOf(part, now.node), `${subject} has a new alternative`);
    }
  }

  #kindOfLost(view: View, part: Node): Compatibility {
    if (view.known === 'safe' || this.#direction === 'output') return 'compatible';
    return kindOf(
      this.#subsumption.impliesAll([part, ...view.before], view.after, { isClosed: true, level: view.level }),
    );
  }

  #kindOfGained(view: View, part: Node, owner: SchemaNode): Compatibility {
    if (view.known === 'safe' || (this.#direction === 'input' && owner.anyOf !== undefined)) return 'compatible';
    const options = { isClosed: false, level: view.level };
    if (this.#direction === 'output')
      return kindOf(this.#subsumption.impliesAll([part, ...view.after], view.before, options));
    // Of several that fit, "oneOf" accepts none.
    const excluded = this.#subsumption.impliesAll([part, ...view.before], [false], options);
    return excluded === 'yes' ? 'compatible' : kindOf(this.#fits(view, view.after));
  }
}

function kindOf(verdict: Verdict): Compatibility {
  return verdict === 'yes' ? 'compatible' : verdict === 'no' ? 'breaking' : 'undecided';
}

function isNull(node: Node): boolean {
  if (typeof node === 'boolean') return false;
  return node.types === types.null || (node.const?.length === 1 && node.const[0] === null);
}

function noteName(keyword: string): string {
  return keyword === 'examples' ? 'list of examples' : keyword === '$comment' ? 'comment' : keyword;
}

function notesOf({ nodes }: Conjunction): Map<string, { value: unknown; path: string }> {
  const all = new Map<string, { value: unknown; path: string }>();
  for (const { notes, pointer } of nodes)
    for (const [name, value] of notes)
      if (!all.has(name)) all.set(name, { value, path: pointer + formatPointer([name]) });
  return all;
}

/** The values, if the schema lists them. */
function listedValues({ nodes, values }: Conjunction): readonly unknown[] | undefined {
  return nodes.some((node) => node.enum !== undefined || node.const !== undefined) ? values : undefined;
}

/** Where a keyword is; without it, where the schema is. */
function pathOf({ nodes }: Conjunction, keyword: string, ...members: (keyof SchemaNode)[]): string {
  const names = members.length > 0 ? members : [keyword as keyof SchemaNode];
  const node = nodes.find((each) => names.some((name) => each[name] !== undefined));
  if (node === undefined || keyword === '') return nodes[0]?.pointer ?? '';
  const name = names.find((each) => node[each] !== undefined);
  return `${node.pointer}/${name === 'types' ? 'type' : (name ?? keyword)}`;
}

function memberPath({ objects }: Conjunction, name: string): string | undefined {
  for (const group of objects)
    if (group.properties?.has(name) === true) return `${group.pointer}/properties${formatPointer([name])}`;
  return undefined;
}

function pointerOf(node: Node, owner: SchemaNode): string {
  return typeof node === 'boolean' ? owner.pointer : node.pointer;
}

/** The members that can be there. */
function propertiesOf({ objects }: Conjunction): Set<string> {
  const names = new Set<string>();
  for (const { properties } of objects)
    for (const [name, schema] of properties ?? []) if (schema !== false) names.add(name);
  return names;
}

function patternSchemas({ objects }: Conjunction, pattern: string): Node[] {
  return objects.flatMap(({ patternProperties }) => patternProperties?.get(pattern) ?? []);
}

/** The alternatives, if there is one list of them. */
function alternativesOf({ nodes }: Conjunction): { node: SchemaNode; parts: readonly Node[] } | undefined {
  const found = nodes.filter((node) => (node.anyOf ?? node.oneOf) !== undefined);
  const [node] = found;
  if (node === undefined || found.length > 1 || (node.anyOf !== undefined && node.oneOf !== undefined))
    return undefined;
  return { node, parts: node.anyOf ?? node.oneOf ?? [] };
}

/** True for alternatives that are likely versions of one. */
function isAlike(one: Node, other: Node): boolean {
  if (typeof one === 'boolean' || typeof other === 'boolean') return false;
  if (one.ref !== undefined && other.ref !== undefined)
    return isAlike(one.ref, other.ref) || pointerOf(one.ref, one) === pointerOf(other.ref, other);
  const title = one.notes.get('title');
  if (title !== undefined && title === other.notes.get('title')) return true;
  if (one.types !== other.types) return false;
  if (one.types !== types.object) return one.types !== undefined && one.const === undefined && one.enum === undefined;
  const tags = [one, other].map(tagsOf);
  return tags[0] !== '' && tags[0] === tags[1];
}

/** The members of an object with one possible value each, which tell alternatives apart. */
function tagsOf({ properties }: SchemaNode): string {
  const tags: string[] = [];
  for (const [name, schema] of properties ?? []) {
    const value = typeof schema === 'boolean' ? undefined : (schema.const ?? schema.enum);
    if (value?.length === 1) tags.push(briefJson([name, value[0]]));
  }
  return tags.sort().join();
}

interface Limit {
  readonly keyword: string;
  readonly value: number;
  /** The limit itself is not allowed. */
  readonly isOpen?: boolean;
}

interface LimitKind {
  readonly name: string;
  readonly types: number;
  read(all: Conjunction): Limit | undefined;
}

function createLimit(name: string, of: number, keyword: keyof SchemaNode): LimitKind {
  const isLeast = keyword.startsWith('min');
  const unset = isLeast ? 0 : Number.POSITIVE_INFINITY;
  return {
    name,
    types: of,
    read({ nodes }) {
      const all = nodes.map((node) => (node[keyword] as number | undefined) ?? unset);
      const value = isLeast ? Math.max(0, ...all) : Math.min(...all);
      return value === unset || all.length === 0 ? undefined : { keyword, value };
    },
  };
}

const limits: readonly LimitKind[] = [
  {
    name: 'minimum',
    types: numbers,
    read: ({ low, lowOpen }) =>
      Number.isFinite(low)
        ? { keyword: lowOpen ? 'exclusiveMinimum' : 'minimum', value: low, isOpen: lowOpen }
        : undefined,
  },
  {
    name: 'maximum',
    types: numbers,
    read: ({ high, highOpen }) =>
      Number.isFinite(high)
        ? { keyword: highOpen ? 'exclusiveMaximum' : 'maximum', value: high, isOpen: highOpen }
        : undefined,
  },
  createLimit('minimum length', types.string, 'minLength'),
  createLimit('maximum length', types.string, 'maxLength'),
  createLimit('minimum number of items', types.array, 'minItems'),
  createLimit('maximum number of items', types.array, 'maxItems'),
  createLimit('minimum number of members', types.object, 'minProperties'),
  createLimit('maximum number of members', types.object, 'maxProperties'),
];

function describeLimit(name: string, subject: string, old: Limit | undefined, now: Limit | undefined): string {
  const show = (limit: Limit): string => `${limit.value}${limit.isOpen === true ? ' (exclusive)' : ''}`;
  if (old === undefined) return `the ${name} of ${subject} is ${show(now as Limit)} now`;
  if (now === undefined) return `the ${name} of ${subject}, ${show(old)}, is gone`;
  const how = now.value > old.value ? 'rose' : now.value < old.value ? 'fell' : 'changed';
  return `the ${name} of ${subject} ${how} from ${show(old)} to ${show(now)}`;
}

interface Fact {
  readonly name: string;
  /** A node with nothing else. */
  parts(node: SchemaNode, all: Conjunction): SchemaNode | readonly SchemaNode[] | undefined;
}

function createFact(name: string, ...keywords: (keyof SchemaNode)[]): Fact {
  return {
    name,
    parts(node) {
      const [first = ''] = keywords;
      if (node[first as keyof SchemaNode] === undefined) return undefined;
      const alone = Object.fromEntries(keywords.map((keyword) => [keyword, node[keyword]]));
      return madeFor(node, `fact ${first}`, () => createNode(alone, `${node.pointer}/${first}`));
    },
  };
}

const facts: readonly Fact[] = [
  createFact('pattern', 'pattern'),
  createFact('step ("multipleOf")', 'multipleOf'),
  {
    name: 'uniqueness of items',
    parts: (node) =>
      node.uniqueItems === true ? createNode({ uniqueItems: true }, `${node.pointer}/uniqueItems`) : undefined,
  },
  createFact('required content ("contains")', 'contains', 'minContains', 'maxContains'),
  createFact('rule for names of members', 'propertyNames'),
  createFact('list of members that need others', 'dependentRequired'),
  createFact('rule for objects with certain members', 'dependentSchemas'),
  createFact('exclusion ("not")', 'not'),
  createFact('condition ("if")', 'if', 'then', 'else'),
  createFact('rule for items that are not described', 'unevaluatedItems'),
  {
    name: 'format',
    parts: (node) => opaqueFact(node, (keyword) => keyword === 'format'),
  },
  {
    name: 'rule of another vocabulary',
    parts: (node) => opaqueFact(node, (keyword) => keyword !== 'format'),
  },
  {
    name: 'list of alternatives',
    parts: (node, all) => {
      if ((node.anyOf ?? node.oneOf) === undefined || alternativesOf(all) !== undefined) return undefined;
      return madeFor(node, 'fact anyOf', () => createNode({ anyOf: node.anyOf, oneOf: node.oneOf }, node.pointer));
    },
  },
];

function opaqueFact(node: SchemaNode, isWanted: (keyword: string) => boolean): SchemaNode[] {
  return [...(node.opaque ?? [])]
    .filter(([keyword]) => isWanted(keyword))
    .map(([keyword, text]) =>
      createNode({ opaque: new Map([[keyword, text]]) }, node.pointer + formatPointer([keyword])),
    );
}

function nameValues(values: readonly unknown[]): string {
  const named = values.slice(0, maxNamed).map((value) => briefJson(value, 40));
  return listOf(values.length > maxNamed ? [...named, `one of ${values.length - maxNamed} others`] : named);
}

function listOf(names: readonly string[]): string {
  if (names.length < 2) return names.join();
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
