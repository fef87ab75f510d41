import { ErrorCode } from '@ccmcp/core';
import { plain } from '../output.ts';
import { type Answer, ask, mediaType, Silence } from './http.ts';
import { placeOf, speaksTls } from './network.ts';
import { Problem } from './report.ts';

/** What stands behind a URL: an MCP endpoint, or one of the oldest HTTP transport. */
export type Endpoint = 'http' | 'http+sse';

const patienceMs = 10_000;
/** Served by everything that speaks MCP, or refused in its terms. */
const question = { jsonrpc: '2.0', id: 'probe', method: 'ping' };
const likelyPaths = ['/mcp', '/sse', '/'];

/** Sends a message to a URL and says what kind of thing answers. */
export async function findEndpoint(url: URL, headers: Record<string, string>): Promise<[Endpoint, string]> {
  const answer = await post(url, headers);
  if (isMcp(answer)) return ['http', `POST is answered with ${answer.status}, in the terms of MCP`];
  if ([400, 404, 405].includes(answer.status) && (await isOldSse(url, headers))) {
    return ['http+sse', `POST is refused with ${answer.status}, but GET opens an event stream that names an endpoint`];
  }
  throw await diagnose(url, headers, answer);
}

async function post(url: URL, headers: Record<string, string>): Promise<Answer> {
  try {
    return await ask(url, { method: 'POST', headers, body: question, patienceMs });
  } catch (error) {
    if (error instanceof Silence) {
      const text = `The port accepts connections, but POST gets no answer within ${patienceMs / 1000} seconds`;
      throw new Problem('silent', text, 'The server hangs, or what listens there does not speak HTTP.');
    }
    throw await broken(url, error as Error);
  }
}

async function broken(url: URL, error: Error): Promise<Problem> {
  const place = placeOf(url);
  if (url.protocol === 'http:' && (await speaksTls(place))) return tlsPort(place.port);
  const advice = 'Something listens there, but it does not speak HTTP.';
  return new Problem('not-mcp', `POST is not answered: ${error.message}`, advice);
}

function tlsPort(port: number): Problem {
  const text = `Port ${port} speaks TLS, but the URL asks for plain HTTP`;
  return new Problem('tls-port', text, 'Write https:// instead of http://.');
}

function isMcp(answer: Answer): boolean {
  const { status, body } = answer;
  if (status === 401 || status === 403) return false;
  // A method that is not found is answered with 404 too, but in these terms.
  if ((status === 404 || status === 405) && !body.includes(String(ErrorCode.MethodNotFound))) return false;
  if (mediaType(answer) === 'text/event-stream') return /^data:.*"jsonrpc"/m.test(body);
  return /"jsonrpc"\s*:\s*"2\.0"/.test(body) && mediaType(answer) === 'application/json';
}

async function isOldSse(url: URL, headers: Record<string, string>): Promise<boolean> {
  const answer = await ask(url, { method: 'GET', headers, patienceMs: 3000 }).catch(() => undefined);
  return answer !== undefined && mediaType(answer) === 'text/event-stream' && /^event: ?endpoint/m.test(answer.body);
}

async function diagnose(url: URL, headers: Record<string, string>, answer: Answer): Promise<Problem> {
  const { status, body } = answer;
  const said = `POST is answered with ${status}`;
  if (status === 401) return unauthorized(said, answer);
  if (status === 403) return new Problem('forbidden', `${said}: ${beginning(body)}`, forbiddenAdvice);
  if (status >= 300 && status < 400) {
    const to = plain(answer.headers.location ?? 'another place');
    return new Problem('redirect', `${said}, which leads to ${to}`, 'Use that address.');
  }
  if (status === 400 && /plain HTTP request was sent to HTTPS|Client sent an HTTP request to an HTTPS/i.test(body)) {
    return tlsPort(placeOf(url).port);
  }
  if (status === 404 || status === 405) return notFound(url, headers, said);
  if (status >= 500) {
    const gateway = status >= 502 && status <= 504;
    const advice = gateway ? 'A proxy is there, but not the server behind it.' : "Look into the server's own log.";
    return new Problem('server-error', `${said}: ${beginning(body)}`, advice);
  }
  if (/html/.test(mediaType(answer)) || /^\s*<(!doctype|html)/i.test(body)) {
    const text = `${said} and a web page, not with MCP`;
    return new Problem('web-page', text, `This is a website. Find the MCP address in its documentation.${ending(url)}`);
  }
  const kind = mediaType(answer) || 'something without a type';
  return new Problem('not-mcp', `${said} and ${kind}, not with MCP: ${beginning(body)}`, 'Is this the right address?');
}

const forbiddenAdvice =
  'The server knows the caller but refuses, or refuses this host name or origin: see how it is allowed there.';

function unauthorized(said: string, { headers }: Answer): Problem {
  const challenge = plain(headers['www-authenticate'] ?? '');
  const scheme = challenge.split(' ', 1)[0];
  const text = `${said}: the server wants credentials${scheme ? ` (${scheme})` : ''}`;
  const advice = challenge.includes('resource_metadata')
    ? "It tells where to sign in with OAuth. With a token at hand: --header 'Authorization: Bearer TOKEN'."
    : "Send them with --header, such as --header 'Authorization: Bearer TOKEN' or --header 'X-Api-Key: KEY'.";
  return new Problem('unauthorized', text, advice);
}

async function notFound(url: URL, headers: Record<string, string>, said: string): Promise<Problem> {
  for (const path of likelyPaths.filter((each) => each !== url.pathname)) {
    const other = new URL(path, url);
    const answer = await ask(other, { method: 'POST', headers, body: question, patienceMs: 3000 }).catch(
      () => undefined,
    );
    const there = answer !== undefined && (isMcp(answer) || answer.status === 401);
    if (there || (await isOldSse(other, headers))) {
      return new Problem('not-found', `${said}: there is no MCP at ${url.pathname}`, `There is at ${other.href}`);
    }
  }
  const advice = 'Something else is served there. Check the path of the URL.';
  return new Problem('not-found', `${said}: there is no MCP at ${url.pathname}`, advice);
}

function ending({ pathname, origin }: URL): string {
  return pathname === '/' ? ` It may be ${origin}/mcp.` : '';
}

function beginning(body: string): string {
  const text = plain(body.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? '(no text)' : text.slice(0, 200);
}
