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

/** A call, as access control sees it. */
export interface GuardedCall {
  readonly peer: Peer;
  /** The name of the request in messages, such as `Tool "find"`. */
  readonly subject: string;
  /** The access requirements found so far. */
  requirement: Requirement | undefined;
}

/** A call whose caller lacks access. */
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

/** The response to a caller who lacks access: an error, or a tool result. */
export interface AccessDenied {
  readonly error: ProtocolError;
  readonly result?: CallToolResult;
}

/** A list entry with its access requirement. */
export interface GuardedEntry extends Registered {
  readonly access: AccessRule | undefined;
}

/** A tool in a list with its access requirement. */
export interface GuardedTool extends GuardedEntry {
  readonly listing: ToolListing;
}

/** Reads what a definition requires of callers. A feature implements it. */
export interface AccessRules {
  /** The rule of something that is called, where its definition has one. `title` names it in errors. */
  callRule(title: string, item: object): AccessRule | undefined;
  /** The rule of a resource or template, which may be secret. */
  readRule(title: string, item: object): AccessRule | undefined;
}

/** Decides who may use what a server offers. A feature implements it; the kernel says when it is asked. */
export interface AccessControl {
  /** True where the caller behind a peer may do only what they were granted. */
  restricts(peer: Peer): boolean;
  /** True if the peer's caller was granted the requirement. */
  allows(peer: Peer, requirement: Requirement | undefined): boolean;
  /**
   * True if the peer's caller was granted a requirement that depends on a URI. If it can't be resolved, access is
   * denied.
   */
  allowsAt(peer: Peer, requirement: () => Requirement | undefined): boolean;
  /** True if the entry is hidden from the peer's caller, with this URI. */
  hides(peer: Peer, rule: AccessRule | undefined, ...at: readonly unknown[]): boolean;
  /** Throws the error for a caller who lacks part of the requirement. */
  require(call: GuardedCall, requirement: Requirement | undefined): void;
  /** Filters a list for its caller, on a server where access is restricted. */
  view<Entry extends GuardedEntry>(
    call: { readonly peer: Peer; keepPrivate(): void },
    registry: { readonly list: readonly Entry[] },
  ): ListView<Entry>;
  /** The list entries of tools, with their requirements if the list must show them. */
  toolRows(peer: Peer, view: ListView<GuardedTool>): ListView;
  /** The response to a call whose caller lacks access; undefined if it failed for another reason. */
  denied(call: RejectedCall, failure: ProtocolError): AccessDenied | undefined;
  /** Logs a request for a secret entry for the operator only. */
  reportHidden(call: RejectedCall, uri: string, requirement: () => Requirement | undefined): void;
  /** The caller's grants that this server requires anywhere. */
  relevant(granted: Requirement): Requirement;
}
