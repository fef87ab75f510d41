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
  /** Requests a server may send to its client. */
  readonly questions: ReadonlySet<string>;
  /** The client abilities behind these requests, by the names that handlers use. */
  readonly abilities: ReadonlySet<Ability>;
  /** Requests whose result may ask for input. */
  readonly resumes: ReadonlySet<string>;
  /** Features built into this revision that are extensions in others, by a short name. */
  readonly builtInFeatures: ReadonlySet<string>;
  /** Whether a message may be an array of messages. */
  readonly batches: boolean;
  /** Whether an HTTP stream begins with an empty event, which gives the client an id to resume with. */
  readonly primesStreams: boolean;
  /** Converts results and requests of the newest shape for a client of this revision, by method. */
  readonly downgrade: Downgrades;
  /** Error codes to replace in this revision. */
  readonly codes: ReadonlyMap<number, number>;
}

/** Common behaviour of all revisions of an era: how a client introduces itself, and how a server asks it. */
export interface Mode {
  readonly era: 'handshake' | 'stateless';
  /** How a question reaches the client: as a separate request, or inside the result of the current request. */
  readonly asksBy: 'request' | 'result';
  /** Adds the members that the era requires to a result. Absent: it requires none. */
  addEraFields?(result: Result, facts: EraFieldFacts): Result;
  /** Adds the members that the era requires to a client's request. */
  address(params: Params | undefined, self: Introduction): Params | undefined;
  /** Whether a result is final, asks for input, or has an unknown type. */
  outcome(result: Result): 'complete' | 'input_required' | 'unknown';
}

/** The identity and capabilities that a stateless client sends with each request. */
export interface Introduction {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
  readonly logLevel: LogLevel | undefined;
}

/** Input of `addEraFields`. */
export interface EraFieldFacts {
  /** Whether results of this method carry cache hints. */
  caches: boolean;
  /** The server's own members of `_meta`. */
  serverMeta: Meta;
  cache: CacheHints;
}

/** The sender of a request, from its session or from the request itself. */
export interface Caller {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation | undefined;
  /** The minimum log level this caller wants; undefined for no log messages. */
  readonly logLevel: LogLevel | undefined;
}

/** Rewrites results and requests for clients of older revisions. Changes only what their schema would reject. */
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

/** The changes of one revision: the contents of a dated file. */
export interface Changes {
  version: string;
  /** Set by the first revision of an era. */
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
  builtInFeatures: readonly string[];
}
