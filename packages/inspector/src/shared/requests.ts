/**
 * What the page asks of the server side: `POST api/NAME` with the JSON of `asks`, answered with the JSON of `gives`, or with
 * `RequestFailure` and a status of 400 or above. What comes of it is told by events.
 */

import type { Problem } from './calls.ts';
import type { ConnectionTerms, Root, TargetKind } from './connections.ts';
import type { Headers } from './http.ts';
import type { ListKind } from './lists.ts';
import type { Look } from './look.ts';
import type { ModelService } from './models.ts';
import type { ElicitAnswer, SampleAnswer } from './questions.ts';
import type { ReadSkill, SkillsOfServer } from './skills.ts';
import type { Filter } from './subscriptions.ts';
import type { SavedRequest } from './recordings.ts';

type Params = Readonly<Record<string, unknown>>;
type Nothing = Readonly<Record<string, never>>;

/** What to connect to: a target by its id, or what somebody typed, as on the command line. */
export type Destination = { readonly target: string } | { readonly typed: string };

/** The requests by name. */
export interface Requests {
  /**
   * Begins to connect. Where what was typed would start a program that nobody named when the inspector was started, it gives
   * `confirm` instead: the person sees what would be started, and the same is asked again with its `code`.
   */
  connect: {
    asks: Destination & { readonly terms?: ConnectionTerms; readonly code?: string };
    gives: { readonly connection: string } | { readonly confirm: Confirmation };
  };
  /** Makes a connection anew, also one that is open; with other terms, where they are given. */
  reconnect: { asks: { readonly connection: string; readonly terms?: ConnectionTerms }; gives: Nothing };
  /** Ends a connection, or gives up on making it. What happened stays. */
  disconnect: { asks: { readonly connection: string }; gives: Nothing };
  /** Ends a connection and forgets it with its messages. */
  forget: { asks: { readonly connection: string }; gives: Nothing };
  'set-roots': { asks: { readonly connection: string; readonly roots: readonly Root[] }; gives: Nothing };
  'set-log-level': { asks: { readonly connection: string; readonly level: string }; gives: Nothing };
  /** Asks for a list; `fresh` also where a kept one still holds. Comes by itself on connecting and when it has changed. */
  list: { asks: { readonly connection: string; readonly kind: ListKind; readonly fresh?: boolean }; gives: Nothing };
  /** Makes any request of the protocol: `tools/call`, `resources/read`, `prompts/get`, `ping`, those of extensions. */
  call: {
    asks: {
      readonly connection: string;
      readonly method: string;
      readonly params?: Params;
      readonly timeoutMs?: number;
      readonly idempotencyKey?: string;
      readonly repeats?: string;
      /** `view`: a view of the server wants it. Default: `page`. */
      readonly by?: 'page' | 'view';
    };
    gives: { readonly call: string };
  };
  /** Makes a call again, as it was; on another connection, where one is named. */
  repeat: { asks: { readonly call: string; readonly connection?: string }; gives: { readonly call: string } };
  cancel: { asks: { readonly call: string }; gives: Nothing };
  /** Asks what an argument may be completed to; it is a call too. */
  complete: {
    asks: {
      readonly connection: string;
      readonly ref:
        | { readonly type: 'ref/prompt'; readonly name: string }
        | { readonly type: 'ref/resource'; readonly uri: string };
      readonly argument: { readonly name: string; readonly value: string };
      readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
    };
    gives: { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };
  };
  /** Asks the person for the answer of a model that a view wants; it comes as the result of a call. */
  sample: {
    asks: { readonly connection: string; readonly params: Params };
    gives: { readonly call: string };
  };
  answer: { asks: { readonly question: string; readonly answer: ElicitAnswer | SampleAnswer }; gives: Nothing };
  /**
   * Sets up the model that may answer for a person. The key goes up and never comes back; without one, that which was given before
   * stays where the address is the same.
   */
  'set-up-model': {
    asks: {
      readonly service: ModelService;
      readonly model: string;
      readonly url?: string;
      readonly key?: string;
      readonly maxTokens?: number;
    };
    gives: Nothing;
  };
  'forget-model': { asks: Nothing; gives: Nothing };
  /** Asks the model for a draft of an answer; another one of the same service, where it is named. */
  'ask-model': { asks: { readonly question: string; readonly model?: string }; gives: { readonly ask: string } };
  'cancel-ask': { asks: { readonly question: string }; gives: Nothing };
  /** Lets the model answer all that a connection asks from now on, without a person, or no more. */
  'answer-by-itself': { asks: { readonly connection: string; readonly on: boolean }; gives: Nothing };
  /** Begins to listen; with `reads`, resources are read when it begins and whenever they change. */
  listen: {
    asks: { readonly connection: string; readonly filter: Filter; readonly reads?: boolean };
    gives: { readonly subscription: string };
  };
  unlisten: { asks: { readonly subscription: string }; gives: Nothing };
  /** Asks for the skills of a server. */
  skills: { asks: { readonly connection: string }; gives: SkillsOfServer };
  /** Reads a skill with all of its files, and compares them with what the list tells. */
  skill: { asks: { readonly connection: string; readonly uri: string }; gives: ReadSkill };
  /** Checks a value against a schema, in the words that a server of this library uses. */
  check: {
    asks: { readonly schema: unknown; readonly value: unknown };
    gives: { readonly problems: readonly Problem[] } | { readonly unusable: string };
  };
  /** Writes a call so that it can be made elsewhere. Credentials stand there as names of variables. */
  'copy-as': {
    asks: { readonly form: 'curl' | 'command' | 'test' } & (
      | { readonly call: string }
      | { readonly connection: string; readonly method: string; readonly params?: Params }
      | { readonly recorded: RecordedCall }
    );
    gives: { readonly text: string };
  };
  /** Examines a connection or a target, step by step. */
  doctor: {
    asks: ({ readonly connection: string } | Destination) & { readonly code?: string };
    gives: { readonly doctor: string } | { readonly confirm: Confirmation };
  };
  /** Begins to walk through signing in. `steps`: stop before each step until `sign-in-next`. */
  'sign-in': {
    asks: ({ readonly connection: string } | { readonly url: string }) & {
      readonly steps?: boolean;
      readonly scope?: string;
      readonly clientId?: string;
      readonly clientSecret?: string;
    };
    gives: { readonly flow: string };
  };
  'sign-in-next': { asks: { readonly flow: string }; gives: Nothing };
  'sign-in-cancel': { asks: { readonly flow: string }; gives: Nothing };
  /** Forgets the tokens that the inspector got for a connection. */
  'sign-out': { asks: { readonly connection: string }; gives: Nothing };
  /** Saves a request in the collection: a new one without `id`, another in its place with it. */
  save: {
    asks: Omit<SavedRequest, 'id'> & { readonly id?: string };
    gives: { readonly id: string };
  };
  unsave: { asks: { readonly id: string }; gives: Nothing };
  /** Keeps how the page was set to look, where the inspector is to keep it. */
  'set-look': { asks: { readonly look: Look }; gives: Nothing };
  /** Begins to write everything to a file, what is still known of the past first. */
  record: { asks: { readonly name?: string }; gives: { readonly file: string } };
  'record-stop': { asks: Nothing; gives: { readonly file: string } };
  /** The recordings that there are, newest first. */
  recordings: { asks: Nothing; gives: { readonly files: readonly RecordingFile[] } };
}

export type RequestName = keyof Requests;
export type Asks<Name extends RequestName> = Requests[Name]['asks'];
export type Gives<Name extends RequestName> = Requests[Name]['gives'];

/** A call of a recording. */
export interface RecordedCall {
  readonly target: { readonly kind: TargetKind; readonly label: string; readonly detail: string };
  readonly method: string;
  readonly params: Params;
  readonly result?: unknown;
  readonly revision?: string;
  /** The HTTP request that carried it. */
  readonly sent?: { readonly headers: Headers; readonly body: string };
}

/** What would be started, and the code that says that a person has seen it. */
export interface Confirmation {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly code: string;
}

/** A recording in the folder of recordings. */
export interface RecordingFile {
  readonly file: string;
  readonly bytes: number;
  readonly at: number;
}

/** Why a request was not done. */
export interface RequestFailure {
  readonly error: { readonly says: string; readonly advice?: string };
}
