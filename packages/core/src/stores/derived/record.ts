import { memberOverhead } from '../memory/members.ts';
import type { RecordLabels, StoredValue } from '../driver.ts';
import type { Fields, Life } from '../store.ts';

/** A record as the value of a key. */
export interface DerivedRecord {
  fields: Fields;
  members: readonly string[];
  kind: string;
  owner: string;
  /** The time of day until which the record is in use. */
  busyUntil: number;
  /**
   * The lifetime that the last write set: with the remaining time it gives the age of that write, by the clock of the
   * database.
   */
  ttlMs: number;
  /** True if its kind has a budget of its own. */
  hasRoom: boolean;
}

/** A record and the version that a change of it expects. */
export interface FoundRecord extends DerivedRecord {
  version: string;
  leftMs: number;
}

/** A new record. */
export function newRecord(fields: Fields, life: Life): DerivedRecord {
  const { kind, owner = '', ttlMs, busyMs = 0, room } = life;
  const busyUntil = busyMs > 0 ? Date.now() + busyMs : 0;
  return { fields, members: [], kind, owner, busyUntil, ttlMs, hasRoom: room !== undefined };
}

/** Encodes a record as the value of its key. */
export function encodeRecord({ fields, members, kind, owner, busyUntil, ttlMs, hasRoom }: DerivedRecord): string {
  return JSON.stringify([kind, owner, busyUntil, ttlMs, hasRoom ? 1 : 0, Object.entries(fields), members]);
}

/** Decodes the value of a key. */
export function decodeRecord({ value, version, leftMs }: StoredValue): FoundRecord {
  const [kind, owner, busyUntil, ttlMs, hasRoom, entries, members] = JSON.parse(value) as [
    string,
    string,
    number,
    number,
    number,
    [string, string][],
    string[],
  ];
  const fields = Object.fromEntries(entries);
  return { fields, members, kind, owner, busyUntil, ttlMs, hasRoom: hasRoom === 1, version, leftMs };
}

/** The properties of a record that limits depend on. */
export function labelsOf({ kind, owner, busyUntil, fields, members }: DerivedRecord): RecordLabels {
  let length = 0;
  for (const name in fields) length += name.length + (fields[name] as string).length;
  return { kind, owner, busyUntil, length, memberLength: weightOf(members) };
}

/** The total length of members. */
export function lengthOf(members: readonly string[]): number {
  return members.reduce((sum, member) => sum + member.length, 0);
}

function weightOf(members: readonly string[]): number {
  return lengthOf(members) + memberOverhead * members.length;
}
