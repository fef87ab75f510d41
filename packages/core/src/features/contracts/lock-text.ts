import { isObject } from '../../jsonrpc/message.ts';
import { findDuplicateMembers } from '../../jsonrpc/duplicate-members.ts';
import { exceeds } from '../../jsonrpc/size.ts';
import { escapeUnseen } from '../../jsonrpc/text.ts';
import { canonicalText } from './canonical-json.ts';
import { digestOf, maxDefinitionDepth, toDefinition } from './definition.ts';
import { type DefinitionKind, definitionKinds, type Lock, LockError, lockVersion, quoteName } from './lock.ts';

/** The maximum length of a lock, in characters. */
const maxLock = 16 * 1024 * 1024;

const advice = 'Write it again with "ccmcp lock"';

/** Formats a lock as the text of `mcp-lock.json`: the same for the same definitions, with invisible characters escaped. */
export function formatLock(lock: Lock): string {
  return `${escapeUnseen(canonicalText(lock))}\n`;
}

/** Reads the text of a lock, and verifies it. Throws a `LockError` that says what is wrong and what to do. */
export async function parseLock(text: string): Promise<Lock> {
  if (text.length > maxLock) {
    throw new LockError(`The lock is longer than ${maxLock} characters: split it into files with fewer targets`);
  }
  const lock = parseJson(text.replace(/^\uFEFF/, ''));
  if (!isObject(lock) || lock.lockVersion === undefined) {
    throw new LockError('This is no lock: it has no "lockVersion". Write one with "ccmcp lock"');
  }
  assertVersion(lock.lockVersion);
  const [duplicate] = findDuplicateMembers(text, lock)?.values() ?? [];
  if (duplicate !== undefined) throw new LockError(`The lock has the member ${quoteName(duplicate)} twice. ${advice}`);
  // Targets, their members, definitions and what is around them.
  if (exceeds(lock, { length: Number.POSITIVE_INFINITY, depth: maxDefinitionDepth + 5 })) {
    throw new LockError(`The lock is nested deeper than ${maxDefinitionDepth} levels. ${advice}`);
  }
  if (!isObject(lock.targets)) throw new LockError(`The lock has no object "targets". ${advice}`);
  for (const [target, server] of Object.entries(lock.targets)) await assertServer(target, server);
  return lock as unknown as Lock;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (/^<<<<<<< /m.test(text)) {
      throw new LockError('The lock has conflicts of a merge: resolve them, or write it again with "ccmcp lock"', {
        cause,
      });
    }
    throw new LockError(`The lock is not valid JSON: ${(cause as Error).message.slice(0, 200)}. ${advice}`, { cause });
  }
}

function assertVersion(version: unknown): void {
  if (version === lockVersion) return;
  if (typeof version === 'number' && version > lockVersion) {
    throw new LockError(
      `The lock has the format ${version}, from a newer program; this one reads ${lockVersion}: update ccmcp`,
    );
  }
  throw new LockError(`The lock has an unknown format: "lockVersion" must be ${lockVersion}. ${advice}`);
}

async function assertServer(target: string, server: unknown): Promise<void> {
  const invalid = (problem: string): LockError =>
    new LockError(`The lock of ${quoteName(target)} is invalid: ${problem}. ${advice}`);
  if (!isObject(server)) throw invalid('it is no object');
  const { server: identity, capabilities, revisions, instructions } = server;
  if (!isObject(identity)) throw invalid('"server" must be an object');
  if (!isObject(capabilities)) throw invalid('"capabilities" must be an object');
  const hasRevisions = Array.isArray(revisions) && revisions.every((each) => typeof each === 'string');
  if (!hasRevisions) throw invalid('"revisions" must be a list of texts');
  if (instructions !== undefined && typeof instructions !== 'string') throw invalid('"instructions" must be a text');
  for (const kind of definitionKinds) {
    const { member } = kind;
    const definitions = Object.hasOwn(server, member) ? server[member] : undefined;
    if (!isObject(definitions)) throw invalid(`"${member}" must be an object`);
    for (const [name, locked] of Object.entries(definitions)) {
      const problem = await findProblem(kind, name, locked);
      if (problem !== undefined) throw invalid(`the ${kind.kind} ${quoteName(name)} ${problem}`);
    }
  }
}

async function findProblem(kind: DefinitionKind, name: string, locked: unknown): Promise<string | undefined> {
  if (!isObject(locked) || typeof locked.digest !== 'string') return 'has no "digest"';
  const read = toDefinition(kind, locked.definition);
  if (read === undefined) return `needs a "definition" with a "${kind.key}"`;
  if (read.name !== name) return `has the definition of another: its "${kind.key}" is ${quoteName(read.name)}`;
  if ((await digestOf(locked.definition)) === locked.digest) return undefined;
  return 'was edited by hand: its digest is not that of its definition';
}
