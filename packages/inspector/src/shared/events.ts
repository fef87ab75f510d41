/**
 * What the server side of the inspector tells its page: one stream of numbered events. Whoever has seen them all in order knows all
 * there is to know, so a page that is loaded again, and a recording in a file, need nothing else.
 */

import type { CallEnd, CallStart, Progress, Span, TaskState } from './calls.ts';
import type { Connection, KnownTarget } from './connections.ts';
import type { DoctorEnd, DoctorStart, DoctorStep, SignInState, SignInStep } from './diagnostics.ts';
import type { HttpEnd, HttpRequest, HttpResponse } from './http.ts';
import type { ListState } from './lists.ts';
import type { Look } from './look.ts';
import type { SeenMessage, ServerLog, ServerOutput } from './messages.ts';
import type { ByItself, KnownModel, ModelAsk, ModelEnd } from './models.ts';
import type { Question, QuestionEnd } from './questions.ts';
import type { ReadSkill, SkillsOfServer } from './skills.ts';
import type { Change, Subscription } from './subscriptions.ts';
import type { Collection, RecordingState } from './recordings.ts';

/** What may happen, by the `type` of its event. */
export interface Happenings {
  /** What can be connected to without typing anything; replaces what was said before. */
  targets: { targets: readonly KnownTarget[] };
  /** A connection is there or has changed; replaces what was said of it before. */
  connection: { connection: Connection };
  /** A connection was forgotten, with all that belongs to it. */
  forgotten: { connection: string };
  message: SeenMessage;
  'http-request': HttpRequest;
  'http-response': HttpResponse;
  'http-end': HttpEnd;
  call: CallStart;
  progress: Progress;
  'call-end': CallEnd;
  question: Question;
  'question-end': QuestionEnd;
  /** The model that may answer for a person, or that there is none; replaces what was said before. */
  model: { model?: KnownModel };
  'model-ask': ModelAsk;
  'model-end': ModelEnd;
  'by-itself': ByItself;
  /** The server said something for its log. */
  log: ServerLog;
  /** A started server wrote to stderr. */
  output: ServerOutput;
  /** A list is being asked for, is there, or was refused; its entries, unless told, are got by `GET api/lists/CONNECTION/KIND`. */
  list: ListState;
  subscription: Subscription;
  /** Heard of by a subscription. */
  change: Change;
  /** Something is odd, but not the end. */
  warning: { connection?: string; says: string };
  /** What happened inside a server that runs in this process. */
  span: Span;
  task: TaskState;
  /** The skills that a server lists; replaces what was said before. */
  skills: { connection: string } & SkillsOfServer;
  /** A skill was read; replaces what was said of it before. */
  skill: { connection: string; uri: string } & ReadSkill;
  doctor: DoctorStart;
  'doctor-step': DoctorStep;
  'doctor-end': DoctorEnd;
  'sign-in': SignInState;
  'sign-in-step': SignInStep;
  /** The saved requests; replaces what was said before. */
  collection: Collection;
  recording: RecordingState;
  /** Events from this one on are kept; what came before was given up to bound memory. */
  dropped: { before: number };
}

/** The names of what may happen. */
export type Happening = keyof Happenings;

/** Stands on each event: its number, counted from 1 without gaps, and when it happened, in milliseconds since 1970. */
export interface Numbered {
  readonly n: number;
  readonly at: number;
}

/** One event. */
export type InspectorEvent<Type extends Happening = Happening> = Type extends Happening
  ? Numbered & { readonly type: Type } & Readonly<Happenings[Type]>
  : never;

/**
 * The first thing on each stream, without a number (`event: hello` of server-sent events). Where `run` differs from what the page
 * knows, the inspector was started anew: the page forgets all and begins with what follows.
 */
export interface Hello {
  /** Names this run of the inspector; an event is asked for after as `?after=RUN.N`, and its id is `RUN.N`. */
  readonly run: string;
  /** The first event that is still kept. */
  readonly first: number;
  /** The last event so far: once it has come, the page is up to date. */
  readonly last: number;
  /** The version of the inspector. */
  readonly version: string;
  /** The folder in which it was started: collections and recordings are kept below. */
  readonly folder: string;
  /** Revisions that can be asked for, newest first. */
  readonly revisions: readonly { readonly version: string; readonly era: 'handshake' | 'stateless' }[];
  /** How tokens are counted, in words. */
  readonly tokenEstimate: string;
  /** True where it is mounted in the server that it shows. */
  readonly mounted: boolean;
  /** Where views are held; absent where no port was free for it. */
  readonly sandbox?: string;
  /** How the page was set to look; absent where the browser is to keep it. */
  readonly look?: Look;
  /** What its clock says, in milliseconds since 1970: times of events are by it, and not by that of the page. */
  readonly now: number;
}
