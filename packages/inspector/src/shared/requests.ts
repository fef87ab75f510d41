/**
 * Requests of the page: `POST api/NAME` with `asks` as JSON, answered with `gives` as JSON, or with `RequestFailure` and a status of 400
 * or above. Events report the effects.
 */

import type { Problem } from './calls.ts';
import type { ConnectionSettings, Root, TargetKind } from './connections.ts';
import type { Filter, ListKind, ReadSkill, SkillList } from './lists.ts';
import type { PageSettings } from './page-settings.ts';
import type { Headers } from './messages.ts';
import type { ElicitAnswer, ModelService, SampleAnswer } from './questions.ts';
import type { SavedRequest } from './recordings.ts';

type Params = Readonly<Record<string, unknown>>;
type Empty = Readonly<Record<string, never>>;

/** The target: a known one, or a typed one. */
export type Destination = { readonly target: string } | { readonly typed: string };

/** Requests by name. */
export interface Requests {
  /**
   * Connects. A typed command that was not given at start returns `confirm`: after the user has confirmed it, the request is repeated
   * with its `code`.
   */
  connect: {
    body: Destination & { readonly settings?: ConnectionSettings; readonly code?: string };
    response: { readonly connection: string } | { readonly confirm: Confirmation };
  };
  /** Reconnects, with other settings if given. */
  reconnect: { body: { readonly connection: string; readonly settings?: ConnectionSettings }; response: Empty };
  /** Closes a connection, or aborts connecting. Its events stay. */
  disconnect: { body: { readonly connection: string }; response: Empty };
  /** Closes a connection and removes its events. */
  forget: { body: { readonly connection: string }; response: Empty };
  'set-roots': { body: { readonly connection: string; readonly roots: readonly Root[] }; response: Empty };
  'set-log-level': { body: { readonly connection: string; readonly level: string }; response: Empty };
  /** Accepts a definition that is held back, or rejects it: it stays held back, and is not shown any more. */
  'decide-definition': {
    body: { readonly connection: string; readonly held: string; readonly accept: boolean };
    response: Empty;
  };
  /** Reloads a list. Lists also load on connect and on change. */
  list: { body: { readonly connection: string; readonly kind: ListKind }; response: Empty };
  /** Sends any request of the protocol: `tools/call`, `resources/read`, `prompts/get`, `ping`, those of extensions. */
  call: {
    body: {
      readonly connection: string;
      readonly method: string;
      readonly params?: Params;
      readonly timeoutMs?: number;
      readonly idempotencyKey?: string;
      readonly repeats?: string;
      /** `view`: on behalf of a view. Default: `page`. */
      readonly by?: 'page' | 'view';
    };
    response: { readonly call: string };
  };
  /** Repeats a call; on another connection, if given. */
  repeat: { body: { readonly call: string; readonly connection?: string }; response: { readonly call: string } };
  cancel: { body: { readonly call: string }; response: Empty };
  /** Requests completions of an argument; logged as a call. */
  complete: {
    body: {
      readonly connection: string;
      readonly ref:
        | { readonly type: 'ref/prompt'; readonly name: string }
        | { readonly type: 'ref/resource'; readonly uri: string };
      readonly argument: { readonly name: string; readonly value: string };
      readonly context?: { readonly arguments?: Readonly<Record<string, string>> };
    };
    response: { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };
  };
  /** Forwards a view's sampling request to the user; the answer is the result of a call. */
  sample: {
    body: { readonly connection: string; readonly params: Params };
    response: { readonly call: string };
  };
  answer: { body: { readonly question: string; readonly answer: ElicitAnswer | SampleAnswer }; response: Empty };
  /** Sets up the model. The key is never sent back; without one, the previous key stays if the endpoint is the same. */
  'set-up-model': {
    body: {
      readonly service: ModelService;
      readonly model: string;
      readonly url?: string;
      readonly key?: string;
      readonly maxTokens?: number;
    };
    response: Empty;
  };
  'forget-model': { body: Empty; response: Empty };
  /** Requests a draft from the model, or from another model of the same service. */
  'ask-model': { body: { readonly question: string; readonly model?: string }; response: { readonly ask: string } };
  'cancel-ask': { body: { readonly question: string }; response: Empty };
  /** Switches automatic answers of a connection on or off. */
  'set-auto-answer': { body: { readonly connection: string; readonly on: boolean }; response: Empty };
  /** Subscribes; with `reads`, resources are read initially and on every change. */
  listen: {
    body: { readonly connection: string; readonly filter: Filter; readonly reads?: boolean };
    response: { readonly subscription: string };
  };
  unlisten: { body: { readonly subscription: string }; response: Empty };
  /** Lists the skills of a server. */
  skills: { body: { readonly connection: string }; response: SkillList };
  /** Reads a skill, and verifies its files against the list. */
  skill: { body: { readonly connection: string; readonly uri: string }; response: ReadSkill };
  /** Validates a value against a schema. */
  check: {
    body: { readonly schema: unknown; readonly value: unknown };
    response: { readonly problems: readonly Problem[] } | { readonly unusable: string };
  };
  /** Creates a snippet of a call, with variables in place of credentials. */
  'copy-as': {
    body: { readonly form: 'curl' | 'command' | 'test' } & (
      | { readonly call: string }
      | { readonly connection: string; readonly method: string; readonly params?: Params }
      | { readonly recorded: RecordedCall }
    );
    response: { readonly text: string };
  };
  /** Starts the doctor on a connection or target. */
  doctor: {
    body: ({ readonly connection: string } | Destination) & { readonly code?: string };
    response: { readonly doctor: string } | { readonly confirm: Confirmation };
  };
  /** Starts signing in. `steps`: pauses before each step until `sign-in-next`. */
  'sign-in': {
    body: ({ readonly connection: string } | { readonly url: string }) & {
      readonly steps?: boolean;
      readonly scope?: string;
      readonly clientId?: string;
      readonly clientSecret?: string;
    };
    response: { readonly flow: string };
  };
  'sign-in-next': { body: { readonly flow: string }; response: Empty };
  'sign-in-cancel': { body: { readonly flow: string }; response: Empty };
  /** Drops the tokens of a connection. */
  'sign-out': { body: { readonly connection: string }; response: Empty };
  /** Saves a request; replaces the one with `id`, if given. */
  save: {
    body: Omit<SavedRequest, 'id'> & { readonly id?: string };
    response: { readonly id: string };
  };
  unsave: { body: { readonly id: string }; response: Empty };
  /** Stores the settings of the page, if the inspector keeps them. */
  'set-page-settings': { body: { readonly pageSettings: PageSettings }; response: Empty };
  /** Starts a recording, including the stored past events. */
  record: { body: { readonly name?: string }; response: { readonly file: string } };
  'record-stop': { body: Empty; response: { readonly file: string } };
  /** Recordings, newest first. */
  recordings: { body: Empty; response: { readonly files: readonly RecordingFile[] } };
}

export type RequestName = keyof Requests;
export type RequestBody<Name extends RequestName> = Requests[Name]['body'];
export type ResponseBody<Name extends RequestName> = Requests[Name]['response'];

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
  readonly error: { readonly message: string; readonly advice?: string };
}
