import type { Params } from '../jsonrpc/message.ts';
import type { ClientCapabilities } from '../protocol/capabilities.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { Ability, ElicitParams, SampleParams } from '../protocol/questions.ts';
import type { ToolListing, WireSchema } from '../protocol/listing.ts';
import type { LogLevel } from '../protocol/logging.ts';
import type { Meta } from '../protocol/meta.ts';
import type { CacheHints, CallToolResult, GetPromptResult, Result } from '../protocol/results.ts';

/** One dated revision of the protocol, folded from the changes of all revisions up to it. */
export interface Revision extends Mode {
  readonly version: string;
  /** Requests a client may send. */
  readonly requests: ReadonlySet<string>;
  /** Notifications a client may send. */
  readonly notifications: ReadonlySet<string>;
  /** What a server may ask of its client. */
  readonly questions: ReadonlySet<string>;
  /** What of that a client may be able to do, by the names that handlers know. */
  readonly abilities: ReadonlySet<Ability>;
  /** Requests that may be answered with questions, where those travel in results. */
  readonly resumes: ReadonlySet<string>;
  /** What it has itself and others have as extensions, by a short name. */
  readonly parts: ReadonlySet<string>;
  /** Whether a message may be an array of messages. */
  readonly batches: boolean;
  /** Whether an HTTP stream begins with an event without data, which gives the client an id to come back with. */
  readonly primesStreams: boolean;
  /** How results and questions in the newest shape are told to a client of this revision, by method. */
  readonly downgrade: Downgrades;
  /** Error codes that mean something else, or nothing, in this revision. */
  readonly codes: ReadonlyMap<number, number>;
}

/** What all revisions of one era have in common: how a client introduces itself, and how it is asked. */
export interface Mode {
  readonly era: 'handshake' | 'stateless';
  /** How a question reaches the client: as a request of its own, or inside the result of the request being served. */
  readonly asksBy: 'request' | 'result';
  /** Adds to a result what the era wants on the wire. */
  addEraFields(result: Result, facts: EraFieldFacts): Result;
  /** Adds to a client's request what the era wants on the wire. */
  address(params: Params | undefined, self: Introduction): Params | undefined;
  /** What a result means to the client: the end, questions to answer first, or nothing that it knows. */
  outcome(result: Result): 'complete' | 'input_required' | 'unknown';
}

/** What a client says of itself, where it says so with each request. */
export interface Introduction {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  readonly logLevel: LogLevel | undefined;
}

/** What sealing a result needs to know. */
export interface EraFieldFacts {
  /** Whether a result of this method says how long it may be kept. */
  caches: boolean;
  /** `_meta` of a result that has nothing of its own to say there. */
  serverMeta: Meta;
  cache: CacheHints;
}

/** Who sends a request: a session, or what the request says of its sender. */
export interface Caller {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  /** The least severe log message this caller wants; undefined: none at all. */
  readonly logLevel: LogLevel | undefined;
}

/** Rewrites results and questions for clients of older revisions. Changes only what their schema would reject. */
export interface Downgrades {
  'tools/list'?: (result: ToolList) => ToolList;
  'tools/call'?: (result: CallToolResult, tool: { outputSchema?: WireSchema }) => CallToolResult;
  'prompts/get'?: (result: GetPromptResult) => GetPromptResult;
  'elicitation/create'?: (params: ElicitParams) => ElicitParams;
  'sampling/createMessage'?: (params: SampleParams) => SampleParams;
}

/** The result of `tools/list`. */
export interface ToolList extends Result {
  tools: ToolListing[];
}

/** What one dated revision changed: the contents of a dated file. */
export interface Changes {
  version: string;
  /** Given where an era begins. */
  mode?: Mode;
  adds?: Partial<MethodNames>;
  drops?: Partial<MethodNames>;
  batches?: boolean;
  primesStreams?: boolean;
  codes?: readonly (readonly [from: number, to: number])[];
  downgrade?: Downgrades;
}

interface MethodNames {
  requests: readonly string[];
  notifications: readonly string[];
  questions: readonly string[];
  abilities: readonly Ability[];
  resumes: readonly string[];
  parts: readonly string[];
}
