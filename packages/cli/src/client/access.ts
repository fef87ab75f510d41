/** So many scopes are named. */
const NAMED = 20;

/** Who may call a tool, as its server says, in words; empty where it says nothing that is understood. */
export function accessText(schemes: unknown): string[] {
  if (!Array.isArray(schemes)) return [];
  return schemes.flatMap((scheme: unknown) => {
    const { type, scopes } = Object(scheme) as Record<string, unknown>;
    if (type === 'noauth') return ['by everybody'];
    if (type !== 'oauth2') return [];
    const named = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string').slice(0, NAMED) : [];
    return [named.length === 0 ? 'by those who have signed in' : `by those who were granted ${named.join(', ')}`];
  });
}
