import {
  type DefinitionChange,
  diffLocks,
  formatChanges,
  type Lock,
  lockedTarget,
  worstKind,
} from '@ccmcp/core/contracts';
import { failedExitCode, type TargetOutcome } from '../client/connection/each-target.ts';
import { readLock } from '../client/connection/lock-file.ts';
import type { CommandCall } from '../client/context.ts';
import { failingKinds } from '../client/options.ts';
import { exitCodes, Failure } from '../command/failure.ts';
import { isRegularFile } from '../config/file/regular-file.ts';
import { failures, failureTexts, lockOf } from './lock.ts';
import { type LiveServer, lockPath, namesTarget, readLive, withTargetsOf } from './read-live.ts';

/** One side of a comparison. */
interface Side {
  readonly lock: Lock;
  readonly outcomes: readonly TargetOutcome<LiveServer>[];
}

/** Two sides whose targets have the same names. */
interface Comparison {
  readonly before: Lock;
  readonly after: Lock;
  readonly outcomes: readonly TargetOutcome<LiveServer>[];
}

/** Compares a lock or a server with another. Returns the exit code: that of the worst change. */
export async function diff(call: CommandCall): Promise<number> {
  const { options } = call.words;
  const { before, after, outcomes } = await readSides(call);
  const changes = diffLocks(before, after);
  const failing = changes.filter((change) => fails(change, options.failOn));
  const worst = worstKind(failing);
  await show(call, changes, outcomes);
  return failedExitCode(outcomes) ?? exitCodes[worst === undefined || worst === 'compatible' ? 'done' : worst].code;
}

/** True for changes of the given kind and worse. */
function fails({ kind }: DefinitionChange, failOn: (typeof failingKinds)[number]): boolean {
  return (
    failingKinds.some((each) => each === kind) &&
    failingKinds.indexOf(kind as typeof failOn) >= failingKinds.indexOf(failOn)
  );
}

async function readSides(call: CommandCall): Promise<Comparison> {
  const { words, command, options } = call.words;
  const count = words.length + (command === undefined ? 0 : 1);
  if (count > 2 || (count === 2 && options.lock !== undefined)) {
    throw new Failure('usage', 'Two sides can be compared: give two targets, or one and --lock FILE');
  }
  if (count === 2) {
    const [first, second] = [await readSide(onlyWord(call, 0)), await readSide(onlyWord(call, 1))];
    return pair(first, second);
  }
  if (words.length === 1 && options.lock === undefined && isLock(words[0] as string)) {
    throw new Failure('usage', 'A lock is compared with what?', {
      hint: `Give a second target, or "ccmcp diff --lock ${words[0]}".`,
    });
  }
  const lock = await readLock(lockPath(call));
  if (!namesTarget(call)) {
    const { lock: after, outcomes } = await readSide(withTargetsOf(call, lock));
    // What could not be read is not gone.
    const before = { ...lock, targets: pickKnown(lock, after) };
    return { before, after, outcomes };
  }
  const side = await readSide(call);
  if (isLock(words[0] ?? '')) return { before: lock, after: side.lock, outcomes: [] };
  const targets = Object.keys(side.lock.targets).map((name) => [name, findTarget(lock, name, lockPath(call))]);
  return { before: { ...lock, targets: Object.fromEntries(targets) }, after: side.lock, outcomes: side.outcomes };
}

/** Reads a lock, or what the targets of the command line offer. */
async function readSide(call: CommandCall): Promise<Side> {
  const [word = ''] = call.words.words;
  if (isLock(word)) return { lock: await readLock(word), outcomes: [] };
  const outcomes = await readLive(call);
  return { lock: lockOf(outcomes), outcomes };
}

/** Gives both sides the same name if each has one target. */
function pair(first: Side, second: Side): Comparison {
  const outcomes = [...first.outcomes, ...second.outcomes];
  const [names, others] = [first, second].map(({ lock }) => Object.keys(lock.targets)) as [string[], string[]];
  const [name] = others;
  if (outcomes.some((outcome) => 'failure' in outcome)) return { before: first.lock, after: first.lock, outcomes };
  if (names.length !== 1 || others.length !== 1 || name === undefined) {
    return { before: first.lock, after: second.lock, outcomes };
  }
  const [server] = Object.values(first.lock.targets);
  return {
    before: { ...first.lock, targets: Object.fromEntries([[name, server]]) } as Lock,
    after: second.lock,
    outcomes,
  };
}

/** The command line with one of its targets. */
function onlyWord(call: CommandCall, index: number): CommandCall {
  const { words } = call.words;
  const isCommand = index >= words.length;
  return {
    ...call,
    words: {
      ...call.words,
      words: isCommand ? [] : [words[index] as string],
      command: isCommand ? call.words.command : undefined,
    },
  };
}

function isLock(word: string): boolean {
  return word.endsWith('.json') && isRegularFile(word);
}

function findTarget(lock: Lock, name: string, path: string) {
  try {
    return lockedTarget(lock, name);
  } catch (error) {
    const hint = `Lock it first with "ccmcp lock", or say under which name it is there: --as NAME.`;
    throw new Failure('usage', `${path}: ${(error as Error).message}`, { hint, cause: error });
  }
}

function pickKnown(lock: Lock, after: Lock): Lock['targets'] {
  return Object.fromEntries(Object.entries(lock.targets).filter(([name]) => Object.hasOwn(after.targets, name)));
}

async function show(
  call: CommandCall,
  changes: readonly DefinitionChange[],
  outcomes: readonly TargetOutcome<LiveServer>[],
): Promise<void> {
  const { output } = call;
  const { format, failOn } = call.words.options;
  const failed = failures(outcomes);
  const json = { changes, worst: worstKind(changes) ?? null, failed };
  if (format === 'text' || format === 'json') {
    const text = changes.length === 0 ? 'Nothing changed' : formatChanges(changes);
    const lines = [...failureTexts(outcomes), ...(changes.length === 0 && failed.length > 0 ? [] : [text])];
    return output.value(json, () => (format === 'json' ? JSON.stringify(json) : lines.join('\n\n')));
  }
  for (const text of failureTexts(outcomes)) output.note(text);
  const path = lockPath(call);
  const formatted =
    format === 'junit'
      ? (await import('./junit.ts')).toJunit(changes, (change) => fails(change, failOn))
      : JSON.stringify((await import('./sarif.ts')).toSarif(changes, path));
  output.value(json, () => formatted);
}
