import {
  acceptDefinitions,
  type DefinitionChange,
  diffLocks,
  formatChanges,
  formatLock,
  type Lock,
  lockedTarget,
  suspiciousIn,
} from '@ccmcp/core/contracts';
import { describeFailure, failedExitCode, type TargetOutcome } from '../client/connection/each-target.ts';
import { findLock, readLock, writeLock } from '../client/connection/lock-file.ts';
import type { CommandCall } from '../client/context.ts';
import { exitCodes, Failure } from '../command/failure.ts';
import { toOneLine } from '../terminal/print.ts';
import { type LiveServer, lockPath, namesTarget, readLive, withTargetsOf } from './read-live.ts';

const emptyLock: Lock = { lockVersion: 1, targets: {} };

/** Writes what servers offer to a lock, or compares them with it. Returns the exit code. */
export async function lock(call: CommandCall): Promise<number> {
  const { accepted, checks } = call.words.options;
  if (checks && accepted.length > 0)
    throw new Failure('usage', '--check writes nothing, and --accept does: leave one out');
  if (checks) return check(call);
  const path = lockPath(call);
  if (!namesTarget(call) && accepted.length === 0) {
    throw new Failure('usage', 'A target is missing', {
      hint: 'Name servers, such as "ccmcp lock notes ./server.js". "ccmcp lock --check" compares all that are in the lock.',
    });
  }
  const file = await findLock(path);
  const before = file.lock ?? emptyLock;
  if (accepted.length > 0 && file.lock === undefined)
    throw new Failure('usage', `There is no lock ${path} to accept anything in`);
  const outcomes = await readLive(namesTarget(call) ? call : withTargetsOf(call, onlyTarget(before)));
  const offered = lockOf(outcomes);
  const after = accepted.length > 0 ? accept(before, offered, accepted) : merge(before, offered);
  writeLock(file, after);
  return report(call, outcomes, { path, before, after });
}

/** Compares the targets of the command line, or all of a lock, with it. */
async function check(call: CommandCall): Promise<number> {
  const path = lockPath(call);
  const locked = await readLock(path);
  const outcomes = await readLive(namesTarget(call) ? call : withTargetsOf(call, locked));
  const offered = lockOf(outcomes);
  const before = { ...locked, targets: pick(locked.targets, Object.keys(offered.targets)) };
  const changes = diffLocks(before, offered);
  const isCurrent = formatLock(before) === formatLock(offered);
  call.output.value({ lock: path, upToDate: isCurrent, changes, failed: failures(outcomes) }, () =>
    [
      ...failureTexts(outcomes),
      ...(changes.length === 0 ? [] : [formatChanges(changes)]),
      isCurrent ? `${path} is up to date` : `${path} is not up to date: "ccmcp lock TARGET" writes it again`,
    ].join('\n\n'),
  );
  return failedExitCode(outcomes) ?? exitCodes[isCurrent ? 'done' : 'findings'].code;
}

function report(
  { output }: CommandCall,
  outcomes: readonly TargetOutcome<LiveServer>[],
  { path, before, after }: { path: string; before: Lock; after: Lock },
): number {
  const names = live(outcomes).map(({ name }) => name);
  const known = { ...before, targets: pick(before.targets, names) };
  const now = { ...after, targets: pick(after.targets, names) };
  const isNew = (name: string): boolean => !Object.hasOwn(before.targets, name);
  const changes: readonly DefinitionChange[] = [
    ...suspiciousIn({ ...now, targets: pick(now.targets, names.filter(isNew)) }),
    ...diffLocks(known, {
      ...now,
      targets: pick(
        now.targets,
        names.filter((name) => !isNew(name)),
      ),
    }),
  ];
  const servers = live(outcomes).map(({ name, server }) => ({
    target: name,
    tools: Object.keys(server.tools).length,
    resources: Object.keys(server.resources).length,
    templates: Object.keys(server.templates).length,
    prompts: Object.keys(server.prompts).length,
  }));
  output.value({ lock: path, targets: servers, changes, failed: failures(outcomes) }, () =>
    [
      ...failureTexts(outcomes),
      ...(changes.length === 0 ? [] : [formatChanges(changes)]),
      [
        ...servers.map(({ target, ...counts }) => `${toOneLine(target)}: ${countsText(counts)}`),
        ...(servers.length === 0 ? [] : [`Written to ${path}`]),
      ].join('\n'),
    ].join('\n\n'),
  );
  return failedExitCode(outcomes) ?? 0;
}

/** The lock with the targets that were read. */
export function lockOf(outcomes: readonly TargetOutcome<LiveServer>[]): Lock {
  return { ...emptyLock, targets: Object.fromEntries(live(outcomes).map(({ name, server }) => [name, server])) };
}

function live(outcomes: readonly TargetOutcome<LiveServer>[]): LiveServer[] {
  return outcomes.flatMap((outcome) => ('value' in outcome ? [outcome.value] : []));
}

/** The failures of targets, for `--json`. */
export function failures(outcomes: readonly TargetOutcome<LiveServer>[]): object[] {
  return outcomes.flatMap((outcome) =>
    'failure' in outcome ? [{ target: outcome.target, ...outcome.failure.toJSON() }] : [],
  );
}

/** The failures of targets, for people. */
export function failureTexts(outcomes: readonly TargetOutcome<LiveServer>[]): string[] {
  return outcomes.flatMap((outcome) =>
    'failure' in outcome ? [describeFailure(outcome.target, outcome.failure).join('\n')] : [],
  );
}

function merge(before: Lock, offered: Lock): Lock {
  return {
    ...before,
    targets: Object.fromEntries([...Object.entries(before.targets), ...Object.entries(offered.targets)]),
  };
}

function accept(before: Lock, offered: Lock, names: readonly string[]): Lock {
  const accepted = new Map(
    Object.entries(offered.targets).map(([name, server]) => {
      const locked = lockedTarget(before, name);
      return [locked, acceptDefinitions(locked, server, names)];
    }),
  );
  // A target may be there under a longer name.
  const all = Object.entries(before.targets).map(([name, locked]) => [name, accepted.get(locked) ?? locked]);
  return { ...before, targets: Object.fromEntries(all) };
}

/** The lock, if it has one target: what `--accept` means without a target. */
function onlyTarget(lock: Lock): Lock {
  const names = Object.keys(lock.targets);
  if (names.length === 1) return lock;
  const hint = `The lock has ${names.slice(0, 20).map(toOneLine).join(', ')}.`;
  throw new Failure('usage', 'A target is missing: whose definition is accepted?', { hint });
}

function pick<Value>(values: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return 'offers nothing';
  return parts.map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`).join(', ');
}
