/** The sources of the scopes of a token request. */
export interface ScopeSources {
  /** The scopes of the challenge, which are authoritative for the request. */
  challenged: string | undefined;
  /** The scopes in the server's metadata. */
  supported: readonly string[] | undefined;
  /** The application's scopes, if the server lists none. */
  preferred: string | undefined;
  /** Scopes requested or granted before, to keep. */
  earlier: string | undefined;
  /** The scopes in the authorization server's metadata. */
  known: readonly string[] | undefined;
}

/** The scopes to request; empty omits the parameter. */
export function chooseScopes({ challenged, supported, preferred, earlier, known }: ScopeSources): string[] {
  const wanted = scopesIn(challenged) ?? supported ?? scopesIn(preferred) ?? [];
  const scopes = new Set([...(scopesIn(earlier) ?? []), ...wanted]);
  // Requests refresh tokens from the authorization server; not a scope of the resource.
  scopes.delete('offline_access');
  if (scopes.size > 0 && known?.includes('offline_access')) scopes.add('offline_access');
  return [...scopes];
}

/** Whether the challenge contains a scope that was not requested before. */
export function needsMoreScopes(challenged: string | undefined, earlier: string | undefined): boolean {
  const had = new Set(scopesIn(earlier));
  return (scopesIn(challenged) ?? []).some((scope) => !had.has(scope));
}

function scopesIn(text: string | undefined): string[] | undefined {
  const scopes = text?.split(' ').filter((scope) => scope !== '') ?? [];
  return scopes.length > 0 ? scopes : undefined;
}
