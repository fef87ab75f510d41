import type { ProtocolError } from '../jsonrpc/errors.ts';
import type { RequestId } from '../jsonrpc/message.ts';
import type { Implementation } from '../protocol/identity.ts';
import type { ToolListing } from '../protocol/listing.ts';
import type { CallToolResult } from '../protocol/results.ts';
import type { AccessRule, Requirement } from './define/access-rule.ts';
import type { Registered } from './define/registry.ts';
import type { ListView } from './lists/list-view.ts';
import type { Logger } from './log/log.ts';
import type { Peer } from './peer.ts';

/** A call, as far as it matters who may make it. */
export interface GuardedCall {
  readonly peer: Peer;
  /** What is served, for people. */
  readonly subject: string;
  /** What it was found to require so far. */
  requirement: Requirement | undefined;
}

/** A call whose caller lacks something. */
export interface RejectedCall extends Readonly<GuardedCall> {
  readonly method: string;
  readonly requestId: RequestId | undefined;
  readonly caller: { readonly clientInfo?: Implementation | undefined } | undefined;
  readonly host: {
    readonly info: Implementation;
    readonly logger: Logger;
    readonly methods: { of(method: string): { readonly belongsTo?: string } };
    reportError(message: string, error: unknown): void;
  };
}

/** The response to a caller who lacks something: this error, or this result of a tool. */
export interface AccessDenied {
  readonly error: ProtocolError;
  readonly result?: CallToolResult;
}

/** An entry of a list, with what it requires. */
export interface GuardedEntry extends Registered {
  readonly access: AccessRule | undefined;
}

/** The same of a tool. */
export interface GuardedTool extends GuardedEntry {
  readonly listing: ToolListing;
}

/** Reads what a definition requires of callers. A feature implements it. */
export interface AccessRules {
  /** The rule of something that is called, where its definition has one. `title` names it in errors. */
  callRule(title: string, item: object): AccessRule | undefined;
  /** The same of something that is read, which may be secret. */
  readRule(title: string, item: object): AccessRule | undefined;
}

/** Decides who may use what a server offers. A feature implements it; the kernel says when it is asked. */
export interface AccessControl {
  /** True where the caller behind a peer may do only what they were granted. */
  restricts(peer: Peer): boolean;
  /** True where the caller behind a peer was granted what is required. */
  allows(peer: Peer, requirement: Requirement | undefined): boolean;
  /** The same of what depends on an address. Where its author can't say what is required, nobody has it. */
  allowsAt(peer: Peer, requirement: () => Requirement | undefined): boolean;
  /** True where a thing is secret from the caller behind a peer, with this address: to them it is not there. */
  hides(peer: Peer, rule: AccessRule | undefined, ...at: readonly unknown[]): boolean;
  /** Throws the error for a caller who lacks some of what is required. */
  require(call: GuardedCall, requirement: Requirement | undefined): void;
  /** What the caller of a list is shown, on a server where not everybody may use everything. */
  view<Entry extends GuardedEntry>(
    call: { readonly peer: Peer; keepPrivate(): void },
    registry: { readonly list: readonly Entry[] },
  ): ListView<Entry>;
  /** The rows of tools, with what each wants of its callers where a list has to say that. */
  toolRows(peer: Peer, view: ListView<GuardedTool>): ListView;
  /** How a call is answered whose caller lacks something; undefined where it failed for another reason. */
  denied(call: RejectedCall, failure: ProtocolError): AccessDenied | undefined;
  /** Tells the operator, and nobody else, that a call asked for something that is secret from its caller. */
  reportHidden(call: RejectedCall, uri: string, requirement: () => Requirement | undefined): void;
  /** Those of a caller's grants that this server asks for somewhere. */
  relevant(granted: Requirement): Requirement;
}
