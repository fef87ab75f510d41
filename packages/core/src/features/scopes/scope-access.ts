import { brief, type ProtocolError } from '../../jsonrpc/errors.ts';
import type {
  AccessControl,
  AccessDenied,
  GuardedCall,
  GuardedEntry,
  GuardedTool,
  RejectedCall,
} from '../../server/access.ts';
import type { AccessRule, Requirement } from '../../server/define/access-rule.ts';
import type { ListView } from '../../server/lists/list-view.ts';
import { type Logger, isEnabled } from '../../server/log/log.ts';
import type { Peer } from '../../server/peer.ts';
import type { RequestId } from '../../jsonrpc/message.ts';
import type { Implementation } from '../../protocol/identity.ts';
import {
  hasScopes,
  hasScopesAt,
  isLimited,
  missingScopes,
  requiredBy,
  toScopesResult,
  withNeeded,
} from './scope-check.ts';
import { type Entries, type ListingCall, visibleTo, withSchemes } from './list-by-scope.ts';
import type { ScopeRules } from './scope-rules.ts';

/** The log entry of a request for more scopes. */
interface ScopeElevation {
  what: string;
  asked: readonly string[];
  client?: string | undefined;
  request?: RequestId | undefined;
}

/** The server whose log it is. */
interface LoggingHost {
  readonly info: Implementation;
  readonly logger: Logger;
}

/** Maximum number of granted scopes in a log entry: a token may have any number. */
const SHOWN = 32;

/** Access by the scopes that callers were granted. */
export class ScopeAccess implements AccessControl {
  readonly #rules: ScopeRules;

  constructor(rules: ScopeRules) {
    this.#rules = rules;
  }

  restricts(peer: Peer): boolean {
    return isLimited(peer);
  }

  allows(peer: Peer, needed: Requirement | undefined): boolean {
    return hasScopes(peer, needed);
  }

  allowsAt(peer: Peer, needed: () => Requirement | undefined): boolean {
    return hasScopesAt(peer, needed);
  }

  hides(peer: Peer, rule: AccessRule | undefined, ...at: readonly unknown[]): boolean {
    return rule?.secret === true && isLimited(peer) && !hasScopesAt(peer, () => rule.of(...at));
  }

  require(call: GuardedCall, needed: Requirement | undefined): void {
    if (needed === undefined) return;
    call.requirement = needed;
    if (!hasScopes(call.peer, needed)) throw missingScopes(call.subject, needed, call.peer);
  }

  view<Entry extends GuardedEntry>(call: ListingCall, registry: Entries<Entry>): ListView<Entry> {
    return visibleTo(call, registry, this.#rules.lists);
  }

  toolRows(peer: Peer, view: ListView<GuardedTool>): ListView {
    return withSchemes(peer, view);
  }

  denied(call: RejectedCall, failure: ProtocolError): AccessDenied | undefined {
    const required = requiredBy(failure);
    if (required === undefined) return undefined;
    const { host, peer, method, subject, caller, requestId } = call;
    const error = withNeeded(failure, required, call.requirement);
    const asked = requiredBy(error)?.requiredScopes ?? [];
    this.logElevation(host, peer, { what: subject, asked, client: caller?.clientInfo?.name, request: requestId });
    const { authPolicy } = peer;
    // Models and some hosts read only results; an error is for programs.
    if (host.methods.of(method).belongsTo !== 'tool' || authPolicy?.scopeErrorForm() === 'error') return { error };
    return { error, result: toScopesResult(error, authPolicy?.challenges(asked) ?? []) };
  }

  reportHidden(
    { host, peer, caller, requestId }: RejectedCall,
    uri: string,
    needed: () => Requirement | undefined,
  ): void {
    const what = `Resource "${brief(uri)}", which is secret`;
    try {
      this.logElevation(host, peer, {
        what,
        asked: needed() ?? [],
        client: caller?.clientInfo?.name,
        request: requestId,
      });
    } catch (error) {
      host.reportError(`${what}: access is denied, since its scopes can't be determined`, error);
    }
  }

  relevant(granted: Requirement): Requirement {
    return this.#rules.known.filterKnown(granted);
  }

  /** Logs that a caller was asked for more scopes than granted. Anonymous callers are not logged. */
  logElevation({ info, logger }: LoggingHost, { auth }: Peer, elevation: ScopeElevation): void {
    this.#rules.known.add(elevation.asked);
    const level = auth === undefined ? 'debug' : 'notice';
    if (!isEnabled(logger, level)) return;
    const client = typeof auth?.clientId === 'string' ? auth.clientId : elevation.client;
    const data = {
      message: 'Scopes are missing',
      what: elevation.what,
      asked: elevation.asked,
      granted: auth?.scopes?.slice(0, elevation.asked.length + SHOWN) ?? [],
      ...(auth !== undefined && { principal: auth.principal }),
      ...(client !== undefined && { client: brief(client) }),
      ...(elevation.request !== undefined && { request: brief(String(elevation.request)) }),
    };
    logger.write({ level, logger: info.name, data });
  }
}
