import type { JobOutcome, SerializedCall } from '../../server/call/background-job.ts';
import type { Fields } from '../../stores/store.ts';
import type { InputRequest, TaskStatus } from './protocol.ts';
import { creationTimeOf } from './task-id.ts';

/** A task unchanged since its creation, without the parts of its id. */
export type TaskTemplate = Omit<TaskRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** The size of the template cache. */
const maxTemplates = 100;

const templates = new Map<string, TaskTemplate>();

/** The shared template of a new task: most waiting tasks are alike. */
export function toTemplate(record: TaskRecord): TaskTemplate {
  const name = `${record.tool} ${record.countedAs}`;
  const shared = templates.get(name);
  if (shared !== undefined && matchesTemplate(shared, record)) return shared;
  const { id: _, createdAt: __, updatedAt: ___, call: ____, ...fresh } = record;
  if (templates.size === maxTemplates) templates.clear();
  templates.set(name, fresh);
  return fresh;
}

/** Rebuilds the record from its template. */
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

/** A stored task, independent of wire form and revision. */
export interface TaskRecord extends CreatedTask {
  /** The stored id; `publicTaskId` converts it. */
  readonly id: string;
  /** Incremented with every change, for optimistic locking. */
  readonly version: number;
  readonly status: TaskStatus;
  readonly statusMessage?: string | undefined;
  /** Wall clock, the only clock that instances share. */
  readonly updatedAt: number;
  /** Open questions, by key. */
  readonly questions: Readonly<Record<string, InputRequest>>;
  /** Answers so far, by key. Removed when the task ends. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The instance that runs it; empty: none. */
  readonly worker: string;
  /** How often its handler was started. */
  readonly attempts: number;
  /** True once its cancellation was requested. */
  readonly cancelling: boolean;
  /** Its outcome. */
  readonly outcome?: JobOutcome | undefined;
  /** The call, as JSON of a `SerializedCall`; removed when the task ends. */
  readonly call?: string | undefined;
}

/** The immutable part of a task. */
export interface CreatedTask extends TaskPlan {
  /** Also encoded in its id. */
  readonly createdAt: number;
}

/** A task before its creation. Many are alike, so a store keeps the plan as one text. */
export interface TaskPlan {
  /** The tool, by the name that the client used. */
  readonly tool: string;
  readonly ttlMs: number;
  readonly pollMs: number;
  /** The owner; undefined: everyone who knows the id. */
  readonly principal?: string | undefined;
  /** The scopes its caller needed. */
  readonly scopes?: readonly string[] | undefined;
  /** The key under which the owner's tasks are counted. */
  readonly countedAs: string;
  /** The wire form of the request. */
  readonly form: TaskForm;
  /** True if its handler may run again from the start. */
  readonly runsAgain: boolean;
}

/** The wire forms: of the extension, or of the legacy revision. */
export type TaskForm = 'extension' | 'core';

/** The mutable part of a task. */
export type TaskChanges = Partial<Omit<TaskRecord, keyof CreatedTask | 'id' | 'version'>>;

/** Shared, since most tasks ask nothing. */
const emptyMap: Readonly<Record<string, never>> = Object.freeze({});

/** The version of an unchanged task. */
export const firstVersion = 1;

/** Creates the record of a new task. */
export function createTaskRecord(
  id: string,
  made: CreatedTask,
  { worker, call }: { worker: string; call: string },
): TaskRecord {
  const { createdAt: updatedAt } = made;
  const fresh = { status: 'working', questions: emptyMap, answers: emptyMap, attempts: 1, cancelling: false } as const;
  return { id, version: firstVersion, ...made, ...fresh, updatedAt, worker, call };
}

/** The call of a task; undefined once it has ended. */
export function parseCall({ call }: TaskRecord): SerializedCall | undefined {
  return call === undefined ? undefined : (JSON.parse(call) as SerializedCall);
}

/** Serializes a record for the store. */
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

/** Serializers of the mutable fields; undefined for empty and initial values. */
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

/** The store fields that changes set and remove. */
export function changedFields(changes: TaskChanges): WrittenFields {
  const fields: WrittenFields = {};
  for (const name of changingFields) if (name in changes) fields[name] = writeField(name, changes[name]);
  return fields;
}

function writeField(name: keyof TaskChanges, value: unknown): string | undefined {
  return value === undefined ? undefined : (writers[name] as (value: unknown) => string | undefined)(value);
}

/** Parses a record of the store. */
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
    outcome: outcome === undefined ? undefined : (JSON.parse(outcome) as JobOutcome),
    call,
  };
}

function encodeMap(values: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(values).length === 0 ? undefined : JSON.stringify(values);
}

function decodeMap(text: string | undefined): Readonly<Record<string, unknown>> {
  return text === undefined ? emptyMap : (JSON.parse(text) as Record<string, unknown>);
}
