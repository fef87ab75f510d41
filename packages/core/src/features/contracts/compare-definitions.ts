import { isObject } from '../../jsonrpc/message.ts';
import { briefJson } from '../../jsonrpc/text.ts';
import type { PromptArgumentListing } from '../../protocol/listing.ts';
import type { JsonSchema } from '../../schema/infer.ts';
import { formatPointer } from '../../schema/problems.ts';
import { canonicalJson } from './canonical-json.ts';
import type { ItemChange } from './change.ts';
import { changedParts } from './changed-text.ts';
import { compareSchemas } from './compare-schemas.ts';

type Members = Readonly<Record<string, unknown>>;

/** Compares a member of two definitions. */
type CompareMember = (before: unknown, after: unknown, name: string) => readonly ItemChange[];

/** How the members of definitions are compared. The others are undecided. */
const members: Readonly<Record<string, CompareMember>> = {
  title: compareWording,
  description: compareWording,
  icons: compareWording,
  name: compareWording,
  inputSchema: (before, after) => compareSchema(before, after, 'input'),
  outputSchema: (before, after) => compareSchema(before, after, 'output'),
  annotations: compareAnnotations,
  execution: compareExecution,
  mimeType: compareMimeType,
  arguments: compareArguments,
};

/** Compares two versions of a definition. Returns at least one change if they differ. */
export function compareDefinitions(before: object, after: object): readonly ItemChange[] {
  const changes = compareMembers(before, after);
  if (changes.length > 0 || canonicalJson(before) === canonicalJson(after)) return changes;
  return [{ kind: 'wording', path: '', text: 'it is written differently and means the same' }];
}

function compareMembers(before: object, after: object): ItemChange[] {
  const [old, now] = [before as Members, after as Members];
  return unionOf(old, now).flatMap((name) => {
    const [was, is] = [memberOf(old, name), memberOf(now, name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    return ownOr(members, name, compareUnknown)(was, is, name);
  });
}

function compareWording(before: unknown, after: unknown, name: string): ItemChange[] {
  const path = `/${name}`;
  if (typeof before === 'string' && typeof after === 'string') {
    return [{ kind: 'wording', path, text: `the ${name} changed`, ...changedParts(before, after) }];
  }
  const verb = before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed';
  return [{ kind: 'wording', path, text: `the ${name} ${verb}`, ...valuesOf(before, after) }];
}

function compareSchema(before: unknown, after: unknown, direction: 'input' | 'output'): ItemChange[] {
  const changes = compareSchemas(toSchema(before), toSchema(after), direction);
  return changes.map((change) => ({ ...change, path: `/${direction}Schema${change.path}` }));
}

/** A schema that is none accepts nothing that could be relied on: it is compared as it is, and undecided. */
function toSchema(value: unknown): JsonSchema | undefined {
  return value as JsonSchema | undefined;
}

/** What is assumed without a hint, and the value that promises more. */
const hints = [
  { name: 'readOnlyHint', standard: false, safe: true },
  { name: 'destructiveHint', standard: true, safe: false },
  { name: 'idempotentHint', standard: false, safe: true },
  { name: 'openWorldHint', standard: true, safe: false },
] as const;

function compareAnnotations(before: unknown, after: unknown): ItemChange[] {
  const [old, now] = [toMembers(before), toMembers(after)];
  const changes: ItemChange[] = [];
  for (const { name, standard, safe } of hints) {
    const [was, is] = [old[name] ?? standard, now[name] ?? standard];
    if (was === is) continue;
    const path = `/annotations/${name}`;
    changes.push(
      was === safe
        ? { kind: 'breaking', path, text: `"${name}" is ${briefJson(is)} now: the tool no longer promises what it did` }
        : { kind: 'undecided', path, text: `"${name}" is ${briefJson(is)} now: the tool promises more than it did` },
    );
  }
  const known = new Set<string>(hints.map(({ name }) => name));
  for (const name of unionOf(old, now)) {
    const [was, is] = [memberOf(old, name), memberOf(now, name)];
    if (known.has(name) || canonicalJson(was) === canonicalJson(is)) continue;
    const path = `/annotations${formatPointer([name])}`;
    changes.push({ kind: 'wording', path, text: `the annotation ${briefJson(name)} changed`, ...valuesOf(was, is) });
  }
  return changes;
}

function compareExecution(before: unknown, after: unknown): ItemChange[] {
  const [was, is] = [before, after].map((each) => toMembers(each).taskSupport ?? 'forbidden');
  if (was === is) return compareUnknown(before, after, 'execution');
  const path = '/execution/taskSupport';
  const breaks = is === 'required' || was === 'required' || is === 'forbidden';
  return [
    {
      kind: breaks ? 'breaking' : 'compatible',
      path,
      text: `task support is ${briefJson(is)} now, and was ${briefJson(was)}`,
    },
  ];
}

function compareMimeType(before: unknown, after: unknown): ItemChange[] {
  if (before === undefined)
    return [{ kind: 'compatible', path: '/mimeType', text: `the type is named: ${briefJson(after)}` }];
  return [{ kind: 'breaking', path: '/mimeType', text: 'the type changed', ...valuesOf(before, after) }];
}

function compareArguments(before: unknown, after: unknown): ItemChange[] {
  const [old, now] = [toArguments(before), toArguments(after)];
  if (old === undefined || now === undefined) return compareUnknown(before, after, 'arguments');
  const changes: ItemChange[] = [];
  for (const [name, was] of old) {
    const is = now.get(name);
    const path = `/arguments${formatPointer([name])}`;
    const quoted = briefJson(name);
    if (is === undefined) {
      changes.push({ kind: 'breaking', path, text: `the argument ${quoted} is gone` });
      continue;
    }
    if (was.required !== true && is.required === true) {
      changes.push({ kind: 'breaking', path, text: `the argument ${quoted} is required now` });
    } else if (was.required === true && is.required !== true) {
      changes.push({ kind: 'compatible', path, text: `the argument ${quoted} is optional now` });
    }
    const rest = ({ required: _, ...others }: PromptArgumentListing): object => others;
    changes.push(...compareMembers(rest(was), rest(is)).map((change) => ({ ...change, path: path + change.path })));
  }
  for (const [name, { required }] of now) {
    if (old.has(name)) continue;
    const [kind, how] = required === true ? (['breaking', 'required'] as const) : (['compatible', 'optional'] as const);
    changes.push({
      kind,
      path: `/arguments${formatPointer([name])}`,
      text: `the ${how} argument ${briefJson(name)} is new`,
    });
  }
  return changes;
}

function toArguments(value: unknown): Map<string, PromptArgumentListing> | undefined {
  const list = value ?? [];
  if (!Array.isArray(list)) return undefined;
  const named = new Map<string, PromptArgumentListing>();
  for (const each of list) {
    if (!isObject(each) || typeof each.name !== 'string' || named.has(each.name)) return undefined;
    named.set(each.name, each as unknown as PromptArgumentListing);
  }
  return named;
}

function compareUnknown(before: unknown, after: unknown, name: string): ItemChange[] {
  const verb = before === undefined ? 'is new' : after === undefined ? 'is gone' : 'changed';
  return [
    { kind: 'undecided', path: formatPointer([name]), text: `${briefJson(name)} ${verb}`, ...valuesOf(before, after) },
  ];
}

/** The parts of two values that differ; absent ones are left out. */
export function valuesOf(before: unknown, after: unknown): Pick<ItemChange, 'before' | 'after'> {
  const [was, is] = [before, after].map((each) => (typeof each === 'string' ? each : canonicalJson(each)));
  const parts = changedParts(was as string, is as string);
  return {
    ...(before !== undefined && { before: parts.before }),
    ...(after !== undefined && { after: parts.after }),
  };
}

/** The names of the members of both, sorted. */
export function unionOf(one: object, other: object): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
}

function memberOf(value: Members, name: string): unknown {
  return ownOr(value, name, undefined);
}

function ownOr<Value>(values: Readonly<Record<string, Value>>, name: string, standard: Value): Value {
  return Object.hasOwn(values, name) ? (values[name] as Value) : standard;
}

function toMembers(value: unknown): Members {
  return isObject(value) ? value : {};
}
