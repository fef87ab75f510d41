/** A refusal for want of credentials. */
export interface Refusal {
  status: number;
  /** The `WWW-Authenticate` header. */
  challenge?: string | undefined;
  /** The beginning of the body. */
  said?: string | undefined;
}

/** Explains a 401 or 403, and which header to send. `sent`: the rejected headers. */
export function credentialsHint(
  { status, challenge = '', said = '' }: Refusal,
  { sent = {}, isAttended = false }: { sent?: Record<string, string>; isAttended?: boolean } = {},
): { message: string; hint: string } {
  const refused = Object.keys(sent).filter((name) => /auth|key|token|secret|cookie/i.test(name));
  const what = refused.length === 0 ? 'wants credentials' : `refuses the ${refused.join(' and ')} that it was sent`;
  const why = reasons(challenge, said);
  const message = `The server ${status === 403 ? 'refuses the caller' : what} (${status})${why === '' ? '' : `: ${why}`}`;
  if (status === 403) return { message, hint: forbiddenHint(challenge) };
  const header = headerHint(challenge, said);
  const metadata = parameter(challenge, 'resource_metadata');
  const signIn =
    metadata === undefined || isAttended || refused.length > 0
      ? ''
      : ' It lets people sign in with OAuth: "ccmcp login URL" does that with a browser, and keeps the login.';
  const again =
    refused.length > 0 ? 'It may have expired, or be for another server. Send another with ' : 'Send them with ';
  return { message, hint: `${again}${header}.${signIn}` };
}

/** The reason of the server: its message, else the whole challenge. */
function reasons(challenge: string, said: string): string {
  const told = parameter(challenge, 'error_description') ?? parameter(challenge, 'error');
  const asked = challenge === '' ? '' : `WWW-Authenticate: ${challenge.slice(0, 300)}`;
  const words = told ?? bodyText(said);
  return [words, asked].filter((part) => part !== '').join('. ');
}

/** The words of a body: of JSON its message. */
function bodyText(said: string): string {
  const found = /"(?:message|error_description|detail|error)"\s*:\s*"((?:[^"\\]|\\.){1,200})"/.exec(said);
  if (found?.[1] !== undefined) return found[1];
  const text = said
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /^[{[]/.test(text) ? '' : text.slice(0, 200);
}

function headerHint(challenge: string, said: string): string {
  const [scheme = ''] = challenge.trim().split(/[\s,]/, 1);
  const named =
    parameter(challenge, 'header') ?? /\bx-[a-z-]*(?:key|token|auth)[a-z-]*\b/i.exec(`${challenge} ${said}`)?.[0];
  if (named !== undefined && /^[\w-]+$/.test(named)) return `--header '${named}: KEY'`;
  if (/^basic$/i.test(scheme)) return `--header "Authorization: Basic $(printf %s USER:PASSWORD | base64)"`;
  if (/^(?:bearer|dpop)$/i.test(scheme)) return "--header 'Authorization: Bearer TOKEN'";
  if (/^[a-z][\w-]*$/i.test(scheme)) return `--header 'Authorization: ${scheme} CREDENTIALS'`;
  return "--header, such as --header 'Authorization: Bearer TOKEN' or --header 'X-Api-Key: KEY'";
}

function forbiddenHint(challenge: string): string {
  const scope = parameter(challenge, 'scope');
  if (scope !== undefined)
    return `It wants a token with the scope ${scope}: sign in with "ccmcp login URL --scope '${scope}'", or send one with --token-env NAME.`;
  return 'It knows the caller but refuses, or refuses this host name or origin: see how it is allowed there.';
}

function parameter(challenge: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`, 'i').exec(challenge);
  return found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2];
}
