import type { Exchange } from '../exchange.ts';
import type { ScopeRule } from './scope-rule.ts';
import { lackingScopes } from './insufficient-scope.ts';

/** What is asked of a call that may lack scopes. */
interface DemandedCall {
  readonly exchange: Exchange;
  readonly subject: string;
  /** What it was found to need so far. */
  scopes: readonly string[] | undefined;
}

/** True where the caller behind an exchange may do only what scopes allow. */
export function isLimited(exchange: Exchange): boolean {
  const { auth } = exchange;
  return auth === undefined ? exchange.entrance?.asks === true : auth.scopes !== undefined;
}

/**
 * True where the caller behind an exchange has all that is needed. Whoever has no list of scopes is not limited; whoever
 * was asked who they are, and did not say it, has none.
 */
export function hasScopes(exchange: Exchange, needed: readonly string[] | undefined): boolean {
  if (needed === undefined || !isLimited(exchange)) return true;
  const granted = exchange.auth?.scopes;
  return granted !== undefined && needed.every((scope) => granted.includes(scope));
}

/** The same of what depends on an address. Where its author can't say what is needed, nobody has it. */
export function hasScopesAt(exchange: Exchange, needed: () => readonly string[] | undefined): boolean {
  try {
    return hasScopes(exchange, needed());
  } catch {
    // Said when it is read.
    return false;
  }
}

/** True where a thing is secret from the caller behind an exchange, with this address: to them it is not there. */
export function isSecretFrom(exchange: Exchange, rule: ScopeRule | undefined, ...at: readonly unknown[]): boolean {
  return rule?.secret === true && isLimited(exchange) && !hasScopesAt(exchange, () => rule.of(...at));
}

/** The same of what is known before there is an address, such as the row of a template. */
export function isRowSecretFrom(exchange: Exchange, rule: ScopeRule | undefined): boolean {
  return rule?.secret === true && !hasScopes(exchange, rule.fixed);
}

/** Refuses a call whose caller lacks some of what is needed. */
export function demandScopes(call: DemandedCall, needed: readonly string[] | undefined): void {
  if (needed === undefined) return;
  call.scopes = needed;
  if (!hasScopes(call.exchange, needed)) throw lackingScopes(call.subject, needed, call.exchange);
}
