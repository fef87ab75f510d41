/**
 * The numbered event stream from the inspector server to its page. The events contain the complete state: a reloaded page and a
 * recording need nothing else.
 */

import type { CallEnd, CallStart, Progress, Span, TaskState } from './calls.ts';
import type { Connection, KnownTarget } from './connections.ts';
import type { DoctorEnd, DoctorStart, DoctorStep, SignInState, SignInStep } from './diagnostics.ts';
import type { Change, HeldDefinition, ListState, ReadSkill, SkillList, Subscription } from './lists.ts';
import type { PageSettings } from './page-settings.ts';
import type { HttpEnd, HttpRequest, HttpResponse, LoggedMessage, ServerLog, ServerOutput } from './messages.ts';
import type { AutoAnswerState, KnownModel, ModelAsk, ModelEnd, Question, QuestionEnd } from './questions.ts';
import type { Collection, RecordingState } from './recordings.ts';

/** Payloads by event type. */
export interface EventPayloads {
  /** Known targets; replaces earlier ones. */
  targets: { targets: readonly KnownTarget[] };
  /** A connection was added or changed; replaces its earlier state. */
  connection: { connection: Connection };
  /** A connection was removed, with everything that belongs to it. */
  forgotten: { connection: string };
  message: LoggedMessage;
  'http-request': HttpRequest;
  'http-response': HttpResponse;
  'http-end': HttpEnd;
  call: CallStart;
  progress: Progress;
  'call-end': CallEnd;
  question: Question;
  'question-end': QuestionEnd;
  /** The configured model, if any; replaces earlier state. */
  model: { model?: KnownModel };
  'model-ask': ModelAsk;
  'model-end': ModelEnd;
  'auto-answer': AutoAnswerState;
  /** Log message of a server. */
  log: ServerLog;
  /** stderr output of a command. */
  output: ServerOutput;
  /** State of a list; entries that it does not contain are at `GET api/lists/CONNECTION/KIND`. */
  list: ListState;
  subscription: Subscription;
  /** A change reported by a subscription. */
  change: Change;
  /** A non-fatal problem. */
  warning: { connection?: string; message: string };
  /** A span inside an in-process server. */
  span: Span;
  task: TaskState;
  /** What a connection holds back; replaces earlier state. */
  'held-back': { connection: string; definitions: readonly HeldDefinition[] };
  /** Listed skills; replaces earlier ones. */
  skills: { connection: string } & SkillList;
  /** A read skill; replaces an earlier read. */
  skill: { connection: string; uri: string } & ReadSkill;
  doctor: DoctorStart;
  'doctor-step': DoctorStep;
  'doctor-end': DoctorEnd;
  'sign-in': SignInState;
  'sign-in-step': SignInStep;
  /** Saved requests; replaces earlier ones. */
  collection: Collection;
  recording: RecordingState;
  /** Events before this number were evicted. */
  dropped: { before: number };
}

/** Event types. */
export type EventType = keyof EventPayloads;

/** Number of an event, counted from 1 without gaps, and its time in milliseconds since 1970. */
export interface NumberedEvent {
  readonly n: number;
  readonly at: number;
}

/** One event. */
export type InspectorEvent<Type extends EventType = EventType> = Type extends EventType
  ? NumberedEvent & { readonly type: Type } & Readonly<EventPayloads[Type]>
  : never;

/**
 * First message of each stream, without a number (`event: hello`). A different `run` means that the inspector restarted: the page starts
 * over.
 */
export interface Hello {
  /** Identifies this run of the inspector; event ids are `RUN.N`, and `?after=RUN.N` resumes. */
  readonly run: string;
  /** Number of the first stored event. */
  readonly first: number;
  /** Number of the last event: once received, the page is up to date. */
  readonly last: number;
  /** Version of the inspector. */
  readonly version: string;
  /** Working directory: saved requests and recordings are below it. */
  readonly folder: string;
  /** Supported revisions, newest first. */
  readonly revisions: readonly { readonly version: string; readonly era: 'handshake' | 'stateless' }[];
  /** How tokens are estimated. */
  readonly tokenEstimate: string;
  /** True if it is mounted in the server that it shows. */
  readonly mounted: boolean;
  /** Origin of the view sandbox; absent if no port was free. */
  readonly sandbox?: string;
  /** Stored settings of the page; absent if the browser stores them. */
  readonly pageSettings?: PageSettings;
  /** Server time in milliseconds since 1970: events are timed by it. */
  readonly now: number;
}
