import { briefJson } from '../../jsonrpc/text.ts';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import { type ChangedItem, type DefinitionChange, type ItemChange, changeKinds } from './change.ts';
import { changedParts } from './changed-text.ts';
import { compareDefinitions, unionOf, valuesOf } from './compare-definitions.ts';
import { definitionKinds, type Lock, type LockedServer } from './lock.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Definition, Suspicion } from './suspicion/suspicion.ts';
import { findSuspicious } from './suspicious.ts';

/** Compares two locks, target by target. The most severe changes of a target come first. */
export function diffLocks(before: Lock, after: Lock): readonly DefinitionChange[] {
  const otherTools = toolNames(after);
  return unionOf(before.targets, after.targets).flatMap((target) => {
    const [was, is] = [own(before.targets, target), own(after.targets, target)];
    if (was !== undefined && is !== undefined) return diffServers(target, was, is, otherTools);
    const item: ChangedItem = { target, item: 'server', name: '' };
    if (is === undefined) return [{ ...item, kind: 'breaking', path: '', text: 'the server is gone' }];
    const added: DefinitionChange = { ...item, kind: 'compatible', path: '', text: 'the server is new' };
    return [added, ...diffServers(target, nothing, is, otherTools).filter(({ kind }) => kind === 'suspicious')];
  });
}

/** The suspicious texts in a lock, for what is locked for the first time. */
export function suspiciousIn(lock: Lock): readonly DefinitionChange[] {
  return diffLocks({ ...lock, targets: {} }, lock).filter(({ kind }) => kind === 'suspicious');
}

/** Compares what a server offered with what it offers. `otherTools` are all tools that the model has. */
function diffServers(
  target: string,
  before: LockedServer,
  after: LockedServer,
  otherTools: readonly string[],
): DefinitionChange[] {
  if (before === after) return [];
  const changes: DefinitionChange[] = [];
  const add = (item: ChangedItem, found: readonly ItemChange[]): void => {
    for (const change of found) changes.push({ ...item, ...change });
  };
  add({ target, item: 'server', name: '' }, compareIdentity(before, after));
  for (const { kind, member } of definitionKinds) {
    const [old, now] = [before[member], after[member]];
    for (const name of unionOf(old, now)) {
      const [was, is] = [own(old, name), own(now, name)];
      if (was?.digest === is?.digest) continue;
      add({ target, item: kind, name }, diffDefinition(was?.definition, is?.definition, otherTools));
    }
  }
  return changes.sort((one, other) => changeKinds.indexOf(one.kind) - changeKinds.indexOf(other.kind));
}

/** Compares two versions of a definition; one of them may be missing. */
export function diffDefinition(
  before: Definition | undefined,
  after: Definition | undefined,
  otherTools: readonly string[],
): ItemChange[] {
  if (after === undefined) return [{ kind: 'breaking', path: '', text: 'it is gone' }];
  const changes: readonly ItemChange[] =
    before === undefined ? [{ kind: 'compatible', path: '', text: 'it is new' }] : compareDefinitions(before, after);
  return [...suspicionsOf(before, after, otherTools), ...changes];
}

/** The suspicions that a definition did not raise before. */
function suspicionsOf(before: Definition | undefined, after: Definition, otherTools: readonly string[]): ItemChange[] {
  const found = findSuspicious(after, { otherTools, ...(before !== undefined && { before }) });
  if (found.length === 0) return [];
  const known = new Set(before === undefined ? [] : findSuspicious(before, { otherTools }).map(identityOf));
  return found
    .filter((suspicion) => !known.has(identityOf(suspicion)))
    .map(({ path, text, excerpt }) => ({
      kind: 'suspicious',
      path,
      text,
      ...(excerpt !== undefined && { after: excerpt }),
    }));
}

function identityOf({ path, reason, excerpt }: Suspicion): string {
  return JSON.stringify([path, reason, excerpt]);
}

/** Compares what servers say of themselves. */
function compareIdentity(before: LockedServer, after: LockedServer): ItemChange[] {
  const changes: ItemChange[] = [];
  for (const name of ['name', 'title', 'version'] as const) {
    const [was, is] = [before.server[name], after.server[name]];
    if (was === is) continue;
    const kind = name === 'version' ? 'compatible' : 'wording';
    changes.push({ kind, path: `/server/${name}`, text: `the ${name} changed`, ...valuesOf(was, is) });
  }
  changes.push(...compareInstructions(before.instructions ?? '', after.instructions ?? ''));
  return [
    ...changes,
    ...compareRevisions(before, after),
    ...compareCapabilities(before.capabilities, after.capabilities),
  ];
}

/** Compares the instructions of a server for the model. */
export function compareInstructions(before: string, after: string): ItemChange[] {
  if (before === after) return [];
  const [was, is] = [before, after].map((description): Definition => ({ name: '', description }));
  const suspicions = suspicionsOf(was, is as Definition, []);
  const path = '/instructions';
  return [
    ...suspicions.map((each) => ({ ...each, path })),
    { kind: 'wording', path, text: 'the instructions changed', ...changedParts(before, after) },
  ];
}

function compareRevisions({ revisions: old }: LockedServer, { revisions: now }: LockedServer): ItemChange[] {
  const path = '/revisions';
  const gone = old.filter((each) => !now.includes(each));
  const added = now.filter((each) => !old.includes(each));
  return [
    ...(gone.length === 0 ? [] : [{ kind: 'breaking', path, text: `no longer speaks ${briefJson(gone)}` } as const]),
    ...(added.length === 0 ? [] : [{ kind: 'compatible', path, text: `also speaks ${briefJson(added)}` } as const]),
  ];
}

/** Capabilities that are gone break clients; nested ones count like those at the top. */
function compareCapabilities(before: ServerCapabilities, after: ServerCapabilities): ItemChange[] {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>];
  return unionOf(old, now).flatMap((name): ItemChange[] => {
    const [was, is] = [own(old, name), own(now, name)];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const path = `/capabilities/${name}`;
    const capability = `the capability ${briefJson(name)}`;
    if (was === undefined) return [{ kind: 'compatible', path, text: `${capability} is new` }];
    if (is === undefined) return [{ kind: 'breaking', path, text: `${capability} is gone` }];
    return [{ kind: 'undecided', path, text: `${capability} changed`, ...valuesOf(was, is) }];
  });
}

function toolNames({ targets }: Lock): string[] {
  return Object.values(targets).flatMap(({ tools }) => Object.keys(tools));
}

/** A server without anything. */
const nothing: LockedServer = {
  server: {},
  revisions: [],
  capabilities: {},
  tools: {},
  resources: {},
  templates: {},
  prompts: {},
};

function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
