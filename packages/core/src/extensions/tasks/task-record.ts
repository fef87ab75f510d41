import type { AsideOutcome, KeptCall } from '../../server/aside.ts';
import type { Fields } from '../../stores/store.ts';
import type { InputRequest, TaskStatus } from './protocol.ts';
import { creationTimeOf } from './task-id.ts';

/** A task that nobody has changed since it was made, without what its id says. */
export type TaskTemplate = Omit<TaskRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** How many of them are remembered at most. */
const maxTemplates = 100;

const templates = new Map<string, TaskTemplate>();

/** What is to be known of a task that was just made, once for all that are alike: most of those that wait are. */
export function toTemplate(record: TaskRecord): TaskTemplate {
  const name = `${record.tool} ${record.countedAs}`;
  const shared = templates.get(name);
  if (shared !== undefined && matchesTemplate(shared, record)) return shared;
  const { id: _, createdAt: __, updatedAt: ___, call: ____, ...fresh } = record;
  if (templates.size === maxTemplates) templates.clear();
  templates.set(name, fresh);
  return fresh;
}

/** The whole of it. */
export function fromTemplate(id: string, fresh: TaskTemplate): TaskRecord {
  const createdAt = creationTimeOf(id);
  return { ...fresh, id, createdAt, updatedAt: createdAt };
}

function matchesTemplate(fresh: TaskTemplate, record: TaskRecord): boolean {
  for (const name in fresh) {
    const [one, other] = [fresh[name as keyof TaskTemplate], record[name as keyof TaskTemplate]];
    if (one !== other && !(Array.isArray(one) && Array.isArray(other) && isEqualList(one, other))) return false;
  }
  return record.principal === fresh.principal && record.scopes?.length === fresh.scopes?.length;
}

function isEqualList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** A task as it is kept: neutral, for whichever form and revision its reader wants. */
export interface TaskRecord extends CreatedTask {
  /** As it is kept: `toldId` makes of it what clients know. */
  readonly id: string;
  /** Goes up with every change: whoever changes a task says which version they know. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /** By the wall clock, the one clock that instances share. */
  readonly updatedAt: number;
  /** The questions that wait for an answer, by key. */
  readonly questions: Readonly<Record<string, InputRequest>>;
  /** The answers so far, by key. They go when the task is over. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The instance that works on it; empty: none does. */
  readonly worker: string;
  /** How often its handler was begun. */
  readonly attempts: number;
  /** True once somebody has asked for its end. */
  readonly cancelling: boolean;
  /** What came of it. */
  readonly outcome?: AsideOutcome | undefined;
  /** What is to be done, as JSON of a `KeptCall`; gone when the task is over. */
  readonly call?: string | undefined;
}

/** What is true of a task from its beginning, and does not change. */
export interface CreatedTask extends TaskPlan {
  /** As its id says. */
  readonly createdAt: number;
}

/** What a task is to be, before it is made. Many are alike: a store keeps them in one text. */
export interface TaskPlan {
  /** The tool, by the name that the client used. */
  readonly tool: string;
  readonly ttlMs: number;
  readonly pollMs: number;
  /** Whose task it is; undefined: whoever knows its id. */
  readonly principal?: string | undefined;
  /** What its caller had to be granted. */
  readonly scopes?: readonly string[] | undefined;
  /** Whose tasks are counted together. */
  readonly countedAs: string;
  /** The form in which it was asked for. */
  readonly form: TaskForm;
  /** True where its handler may run again from its start. */
  readonly runsAgain: boolean;
}

/** The forms of tasks that there are: by the extension, or as the revision before it had them in its core. */
export type TaskForm = 'extension' | 'core';

/** What changes in a task. */
export type TaskChanges = Partial<Omit<TaskRecord, keyof CreatedTask | 'id' | 'version'>>;

/** Most tasks ask nothing: all of them share this. */
const emptyMap: Readonly<Record<string, never>> = Object.freeze({});

/** The version of a task that nobody has changed since it was made. */
export const firstVersion = 1;

/** A new task, which nobody has seen yet. */
export function createTaskRecord(
  id: string,
  made: CreatedTask,
  { worker, call }: { worker: string; call: string },
): TaskRecord {
  const { createdAt: updatedAt } = made;
  const fresh = { status: 'working', questions: emptyMap, answers: emptyMap, attempts: 1, cancelling: false } as const;
  return { id, version: firstVersion, ...made, ...fresh, updatedAt, worker, call };
}

/** The call behind a task; undefined where it is over. */
export function parseCall({ call }: TaskRecord): KeptCall | undefined {
  return call === undefined ? undefined : (JSON.parse(call) as KeptCall);
}

/** The fields of a record in a store. */
export function toFields(record: TaskRecord): Fields {
  const { tool, ttlMs, pollMs, principal, scopes, countedAs, form, runsAgain } = record;
  const plan: TaskPlan = { tool, ttlMs, pollMs, principal, scopes, countedAs, form, runsAgain };
  const fields: Record<string, string> = { plan: JSON.stringify(plan), version: String(record.version) };
  for (const name of changingFields) {
    if (name === 'updatedAt' && record.updatedAt === record.createdAt) continue;
    const text = writeField(name, record[name]);
    if (text !== undefined) fields[name] = text;
  }
  return fields;
}

type WrittenFields = Record<string, string | undefined>;

/** How each thing that changes is written; undefined where there is nothing to write, or what most tasks begin with. */
const writers: {
  readonly [K in keyof Required<TaskChanges>]: (value: NonNullable<TaskRecord[K]>) => string | undefined;
} = {
  status: (status) => (status === 'working' ? undefined : status),
  statusMessage: (text) => text,
  updatedAt: String,
  questions: encodeMap,
  answers: encodeMap,
  worker: (worker) => worker || undefined,
  attempts: (attempts) => (attempts === 1 ? undefined : String(attempts)),
  cancelling: (value) => (value ? 'yes' : undefined),
  outcome: (outcome) => JSON.stringify(outcome),
  call: (call) => call,
};

const changingFields = Object.keys(writers) as (keyof TaskChanges)[];

/** The fields that changes set and remove. */
export function changedFields(changes: TaskChanges): WrittenFields {
  const fields: WrittenFields = {};
  for (const name of changingFields) if (name in changes) fields[name] = writeField(name, changes[name]);
  return fields;
}

function writeField(name: keyof TaskChanges, value: unknown): string | undefined {
  return value === undefined ? undefined : (writers[name] as (value: unknown) => string | undefined)(value);
}

/** A record of a store as a task. */
export function fromFields(id: string, fields: Fields): TaskRecord {
  const createdAt = creationTimeOf(id);
  const { plan = '{}', version, status = 'working', statusMessage, updatedAt = createdAt } = fields;
  const { questions, answers, worker, attempts = 1 } = fields;
  const { cancelling, outcome, call } = fields;
  return {
    id,
    version: Number(version),
    ...(JSON.parse(plan) as TaskPlan),
    createdAt,
    status: status as TaskStatus,
    statusMessage,
    updatedAt: Number(updatedAt),
    questions: decodeMap(questions) as TaskRecord['questions'],
    answers: decodeMap(answers),
    worker: worker ?? '',
    attempts: Number(attempts),
    cancelling: cancelling !== undefined,
    outcome: outcome === undefined ? undefined : (JSON.parse(outcome) as AsideOutcome),
    call,
  };
}

function encodeMap(values: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(values).length === 0 ? undefined : JSON.stringify(values);
}

function decodeMap(text: string | undefined): Readonly<Record<string, unknown>> {
  return text === undefined ? emptyMap : (JSON.parse(text) as Record<string, unknown>);
}
