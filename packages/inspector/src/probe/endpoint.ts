import { ErrorCode } from '@ccmcp/core';
import { connect, httpTransport } from '@ccmcp/core/client';
import { tryParseJson } from '../shared/json.ts';
import { type RawResponse, sendRequest, mediaType, probeTap, NoResponseError } from './http.ts';
import { hostPortOf, speaksTls } from './network.ts';
import { Problem } from './report.ts';
import type { ProbeTexts } from './texts.ts';

/** Transport of an endpoint: Streamable HTTP, or the legacy HTTP+SSE. */
export type Endpoint = 'http' | 'http+sse';

const timeoutMs = 10_000;
/** A request that nearly every server answers or rejects with an MCP error. */
const question = { jsonrpc: '2.0', id: 'probe', method: 'ping' };
const likelyPaths = ['/mcp', '/sse', '/'];

/** Sends a message to a URL, and detects the transport. */
export async function findEndpoint(
  url: URL,
  headers: Record<string, string>,
  texts: ProbeTexts,
): Promise<[Endpoint, string]> {
  const answer = await post(url, headers);
  if (isMcp(answer)) return ['http', `POST is answered with ${answer.status}, in the terms of MCP`];
  if ([400, 404, 405].includes(answer.status) && (await isLegacySse(url, headers))) {
    return ['http+sse', `POST is rejected with ${answer.status}, but GET opens an event stream that names an endpoint`];
  }
  if (mayNeedHandshake(answer) && (await canConnect(url, headers, timeoutMs))) {
    return ['http', `POST is rejected with ${answer.status} where a client has not introduced itself, else answered`];
  }
  throw await diagnose(url, { headers, texts }, answer);
}

async function post(url: URL, headers: Record<string, string>): Promise<RawResponse> {
  try {
    return await sendRequest(url, { method: 'POST', headers, body: question, timeoutMs });
  } catch (error) {
    if (error instanceof NoResponseError) {
      const text = `The port accepts connections, but POST gets no answer within ${timeoutMs / 1000} seconds`;
      throw new Problem('silent', text, 'The server hangs, or what listens there does not speak HTTP.');
    }
    throw await connectionProblem(url, error as Error);
  }
}

async function connectionProblem(url: URL, error: Error): Promise<Problem> {
  const address = hostPortOf(url);
  if (url.protocol === 'http:' && (await speaksTls(address))) return tlsPortProblem(address.port);
  const advice = 'Something listens there, but it does not speak HTTP.';
  return new Problem('not-mcp', `POST is not answered: ${error.message}`, advice);
}

function tlsPortProblem(port: number): Problem {
  const text = `Port ${port} speaks TLS, but the URL asks for plain HTTP`;
  return new Problem('tls-port', text, 'Write https:// instead of http://.');
}

function isMcp(answer: RawResponse): boolean {
  const { status, body } = answer;
  if (status === 401 || status === 403) return false;
  // An unknown method also gives 404, but with an MCP error.
  if ((status === 404 || status === 405) && !body.includes(String(ErrorCode.MethodNotFound))) return false;
  if (mediaType(answer) === 'text/event-stream') return /^data:.*"jsonrpc"/m.test(body);
  return /"jsonrpc"\s*:\s*"2\.0"/.test(body) && mediaType(answer) === 'application/json';
}

function mayNeedHandshake({ status }: RawResponse): boolean {
  return status !== 401 && status !== 403 && (status < 300 || status > 399) && (status < 502 || status > 504);
}

/** Whether a full client can connect: some servers reject everything before the handshake with their own errors. */
async function canConnect(url: URL, headers: Record<string, string>, timeoutMs: number): Promise<boolean> {
  const clientInfo = { name: 'ccmcp-probe', version: '1' };
  const tap = probeTap.getStore();
  const entering = connect(httpTransport(url, { headers, ...(tap && { tap }) }), {
    clientInfo,
    timeoutMs,
    onWarning: () => {},
  });
  return entering.then(
    async (client) => {
      await client.close();
      return true;
    },
    () => false,
  );
}

async function isLegacySse(url: URL, headers: Record<string, string>): Promise<boolean> {
  const answer = await sendRequest(url, { method: 'GET', headers, timeoutMs: 3000 }).catch(() => undefined);
  return answer !== undefined && mediaType(answer) === 'text/event-stream' && /^event: ?endpoint/m.test(answer.body);
}

async function diagnose(
  url: URL,
  { headers, texts }: { headers: Record<string, string>; texts: ProbeTexts },
  answer: RawResponse,
): Promise<Problem> {
  const { status, body } = answer;
  const said = `POST is answered with ${status}`;
  if (status === 401 || status === 403) return authProblem(answer, headers, texts);
  if (status >= 300 && status < 400) {
    return redirectProblem(url, said, answer.headers.location);
  }
  if (status === 400 && /plain HTTP request was sent to HTTPS|Client sent an HTTP request to an HTTPS/i.test(body)) {
    return tlsPortProblem(hostPortOf(url).port);
  }
  if (status === 404 || status === 405) return notFoundProblem(url, headers, answer);
  if (status >= 500) {
    const gateway = status >= 502 && status <= 504;
    const advice = gateway ? 'A proxy is there, but not the server behind it.' : "Look into the server's own log.";
    return new Problem('server-error', `${said}: ${excerpt(body)}`, advice);
  }
  if (/html/.test(mediaType(answer)) || /^\s*<(!doctype|html)/i.test(body)) {
    const text = `${said} and a web page, not with MCP`;
    return new Problem(
      'web-page',
      text,
      `This is a website. Find the MCP address in its documentation.${endpointHint(url)}`,
    );
  }
  const kind = mediaType(answer) || 'something without a type';
  return new Problem('not-mcp', `${said} and ${kind}, not with MCP: ${excerpt(body)}`, 'Is this the right address?');
}

function redirectProblem(url: URL, said: string, location: string | undefined): Problem {
  const leads = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url).href : undefined;
  const text = `${said}, which leads to ${leads ?? location ?? 'another place'}`;
  const advice =
    leads === url.href
      ? 'That is the same address: the server, or a proxy before it, is set up in a circle.'
      : 'Use that address.';
  return new Problem('redirect', text, advice);
}

function authProblem({ status, headers, body }: RawResponse, sent: Record<string, string>, texts: ProbeTexts): Problem {
  const { message, advice } = texts.explainRejection(
    { status, challenge: headers['www-authenticate'], said: body },
    sent,
  );
  return new Problem(status === 401 ? 'unauthorized' : 'forbidden', message, advice);
}

async function notFoundProblem(
  url: URL,
  headers: Record<string, string>,
  { status, body }: RawResponse,
): Promise<Problem> {
  const said = `POST is answered with ${status}`;
  for (const path of likelyPaths.filter((each) => each !== url.pathname)) {
    const other = new URL(path, url);
    const answer = await sendRequest(other, { method: 'POST', headers, body: question, timeoutMs: 3000 }).catch(
      () => undefined,
    );
    const there = answer !== undefined && (isMcp(answer) || answer.status === 401);
    const wants = answer !== undefined && !there && mayNeedHandshake(answer);
    if (there || (await isLegacySse(other, headers)) || (wants && (await canConnect(other, headers, 3000)))) {
      return new Problem('not-found', `${said}: there is no MCP at ${url.pathname}`, `There is at ${other.href}`);
    }
  }
  const texts = parseErrorMessage(body);
  const advice =
    texts === undefined ? 'Something else is served there. Check the path of the URL.' : `The server says: ${texts}`;
  return new Problem('not-found', `${said}: there is no MCP at ${url.pathname}`, advice);
}

function endpointHint({ pathname, origin }: URL): string {
  return pathname === '/' ? ` It may be ${origin}/mcp.` : '';
}

/** Error message in a JSON body. */
function parseErrorMessage(body: string): string | undefined {
  const { error, message, detail } = Object(tryParseJson(body)) as Record<string, unknown>;
  const found = [Object(error).message, message, detail, error].find((text) => typeof text === 'string' && text !== '');
  return found === undefined ? undefined : excerpt(found as string);
}

function excerpt(body: string): string {
  const text = body
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? '(no text)' : text.slice(0, 200);
}
