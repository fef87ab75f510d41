/**
 * Requests of the page: `POST api/NAME` with `asks` as JSON, answered with `gives` as JSON, or with `RequestFailure` and a status of 400
 * or above. Events report the effects.
 */

import type { Problem } from './calls.ts';
import type { ConnectionSettings, Root, TargetKind } from './connections.ts';
import type { Headers } from './http.ts';
import type { ListKind } from './lists.ts';
import type { Look } from './look.ts';
import type { ModelService } from './models.ts';
import type { ElicitAnswer, SampleAnswer } from './questions.ts';
import type { ReadSkill, SkillList } from './skills.ts';
import type { Filter } from './subscriptions.ts';
import type { SavedRequest } from './recordings.ts';

type Params = Readonly<Record<string, unknown>>;
type Nothing = Readonly<Record<string, never>>;

/** What to connect to: a known target, or a typed one. */
export type Destination = { readonly target: string } | { readonly typed: string };

/** Requests by name. */
export interface Requests {
  /**
   * Connects. A typed command that was not given at start returns `confirm`: after the user has confirmed it, the request is repeated
   * with its `code`.
   */
  connect: {
    asks: Destination & { readonly terms?: ConnectionSettings; readonly code?: string };
    gives: { readonly connection: string } | { readonly confirm: Confirmation };
  };
  /** Reconnects, with other settings if given. */
  reconnect: { asks: { readonly connection: string; readonly terms?: ConnectionSettings }; gives: Nothing };
  /** Closes a connection, or aborts connecting. Its events stay. */
  disconnect: { asks: { readonly connection: string }; gives: Nothing };
  /** Closes a connection and removes its events. */
  forget: { asks: { readonly connection: string }; gives: Nothing };
  'set-roots': { asks: { readonly connection: string; readonly roots: readonly Root[] }; gives: Nothing };
  'set-log-level': { asks: { readonly connection: string; readonly level: string }; gives: Nothing };
  /** Reloads a list. Lists also load on connect and on change. */
  list: { asks: { readonly connection: string; readonly kind: ListKind; readonly fresh?: boolean }; gives: Nothing };
  /** Sends any request of the protocol: `tools/call`, `resources/read`, `prompts/get`, `ping`, those of extensions. */
  call: {
    asks: {
      readonly connection: string;
      readonly method: string;
      readonly params?: Params;
      readonly timeoutMs?: number;
      readonly idempotencyKey?: string;
      readonly repeats?: string;
      /** `view`: on behalf of a view. Default: `page`. */
      readonly by?: 'page' | 'view';
    };
    gives: { readonly call: string };
  };
  /** Repeats a call; on another connection, if given. */
  repeat: { asks: { readonly call: string; readonly connection?: string }; gives: { readonly call: string } };
  cancel: { asks: { readonly call: string }; gives: Nothing };
  /** Requests completions of an argument; logged as a call. */
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
  /** Forwards a view's sampling request to the user; the answer is the result of a call. */
  sample: {
    asks: { readonly connection: string; readonly params: Params };
    gives: { readonly call: string };
  };
  answer: { asks: { readonly question: string; readonly answer: ElicitAnswer | SampleAnswer }; gives: Nothing };
  /** Sets up the model. The key is never sent back; without one, the previous key stays if the endpoint is the same. */
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
  /** Requests a draft from the model, or from another model of the same service. */
  'ask-model': { asks: { readonly question: string; readonly model?: string }; gives: { readonly ask: string } };
  'cancel-ask': { asks: { readonly question: string }; gives: Nothing };
  /** Switches automatic answers of a connection on or off. */
  'answer-by-itself': { asks: { readonly connection: string; readonly on: boolean }; gives: Nothing };
  /** Subscribes; with `reads`, resources are read initially and on every change. */
  listen: {
    asks: { readonly connection: string; readonly filter: Filter; readonly reads?: boolean };
    gives: { readonly subscription: string };
  };
  unlisten: { asks: { readonly subscription: string }; gives: Nothing };
  /** Lists the skills of a server. */
  skills: { asks: { readonly connection: string }; gives: SkillList };
  /** Reads a skill, and verifies its files against the list. */
  skill: { asks: { readonly connection: string; readonly uri: string }; gives: ReadSkill };
  /** Validates a value against a schema. */
  check: {
    asks: { readonly schema: unknown; readonly value: unknown };
    gives: { readonly problems: readonly Problem[] } | { readonly unusable: string };
  };
  /** Creates a snippet of a call, with variables in place of credentials. */
  'copy-as': {
    asks: { readonly form: 'curl' | 'command' | 'test' } & (
      | { readonly call: string }
      | { readonly connection: string; readonly method: string; readonly params?: Params }
      | { readonly recorded: RecordedCall }
    );
    gives: { readonly text: string };
  };
  /** Starts the doctor on a connection or target. */
  doctor: {
    asks: ({ readonly connection: string } | Destination) & { readonly code?: string };
    gives: { readonly doctor: string } | { readonly confirm: Confirmation };
  };
  /** Starts signing in. `steps`: pauses before each step until `sign-in-next`. */
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
  /** Drops the tokens of a connection. */
  'sign-out': { asks: { readonly connection: string }; gives: Nothing };
  /** Saves a request; replaces the one with `id`, if given. */
  save: {
    asks: Omit<SavedRequest, 'id'> & { readonly id?: string };
    gives: { readonly id: string };
  };
  unsave: { asks: { readonly id: string }; gives: Nothing };
  /** Stores the settings of the page, if the inspector keeps them. */
  'set-look': { asks: { readonly look: Look }; gives: Nothing };
  /** Starts a recording, including the stored past events. */
  record: { asks: { readonly name?: string }; gives: { readonly file: string } };
  'record-stop': { asks: Nothing; gives: { readonly file: string } };
  /** Recordings, newest first. */
  recordings: { asks: Nothing; gives: { readonly files: readonly RecordingFile[] } };
}

export type RequestName = keyof Requests;
export type RequestBody<Name extends RequestName> = Requests[Name]['asks'];
export type ResponseBody<Name extends RequestName> = Requests[Name]['gives'];

/** A recorded call. */
export interface RecordedCall {
  readonly target: { readonly kind: TargetKind; readonly label: string; readonly detail: string };
  readonly method: string;
  readonly params: Params;
  readonly result?: unknown;
  readonly revision?: string;
  /** The HTTP request that carried it. */
  readonly sent?: { readonly headers: Headers; readonly body: string };
}

/** The command to start, and the code that proves the user has seen it. */
export interface Confirmation {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly code: string;
}

/** A file in the folder of recordings. */
export interface RecordingFile {
  readonly file: string;
  readonly bytes: number;
  readonly at: number;
}

/** Error response. */
export interface RequestFailure {
  readonly error: { readonly says: string; readonly advice?: string };
}
