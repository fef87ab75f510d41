/** Where the scopes of a request for a token come from. */
export interface ScopeSources {
  /** What the refusal asks for: binding for the request at hand. */
  challenged: string | undefined;
  /** What the server's metadata lists. */
  supported: readonly string[] | undefined;
  /** What the application wants where the server names nothing. */
  preferred: string | undefined;
  /** What was asked for or granted before, and must not be lost. */
  earlier: string | undefined;
  /** What the authorization server lists. */
  known: readonly string[] | undefined;
}

/** The scopes to ask for; none means that the parameter is left out. */
export function chooseScopes({ challenged, supported, preferred, earlier, known }: ScopeSources): string[] {
  const wanted = scopesIn(challenged) ?? supported ?? scopesIn(preferred) ?? [];
  const scopes = new Set([...(scopesIn(earlier) ?? []), ...wanted]);
  // Not a permission of the resource but a wish for refresh tokens: the authorization server's own business.
  scopes.delete('offline_access');
  if (scopes.size > 0 && known?.includes('offline_access')) scopes.add('offline_access');
  return [...scopes];
}

/** Whether the challenge names a scope that was not asked for before. */
export function needsMoreScopes(challenged: string | undefined, earlier: string | undefined): boolean {
  const had = new Set(scopesIn(earlier));
  return (scopesIn(challenged) ?? []).some((scope) => !had.has(scope));
}

function scopesIn(text: string | undefined): string[] | undefined {
  const scopes = text?.split(' ').filter((scope) => scope !== '') ?? [];
  return scopes.length > 0 ? scopes : undefined;
}
