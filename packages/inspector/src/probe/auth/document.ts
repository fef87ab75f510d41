import { isRecord, tryParseJson } from '../../shared/json.ts';
import { sendRequest } from '../http.ts';

/** A fetched JSON document, or why it is unusable. */
export interface Document {
  url: string;
  status: number;
  /** Its content, if that is an object. */
  fields?: Readonly<Record<string, unknown>>;
  /** Why it is unusable. */
  problem?: string;
  /** Whether CORS allows pages of other origins to read it. */
  open: boolean;
}

const timeoutMs = 10_000;
/** Origin of a fictitious browser client. */
const origin = 'https://client.example';

/** Fetches a document. Redirects are not followed, as clients must not follow them either. */
export async function fetchDocument(url: string): Promise<Document> {
  const unsafe = urlProblem(url);
  if (unsafe !== undefined) return { url, status: 0, open: false, problem: unsafe };
  try {
    const headers = { accept: 'application/json', origin };
    const answer = await sendRequest(new URL(url), { method: 'GET', headers, timeoutMs });
    const { status, body } = answer;
    const allowed = answer.headers['access-control-allow-origin'];
    const about = { url, status, open: allowed === '*' || allowed === origin };
    if (status >= 300 && status < 400) return { ...about, problem: `it leads to another place (${status})` };
    if (status !== 200) return { ...about, problem: `it is answered with ${status}` };
    const fields = tryParseJson(body);
    return isRecord(fields) ? { ...about, fields } : { ...about, problem: 'it is no JSON object' };
  } catch (error) {
    return { url, status: 0, open: false, problem: `it can't be reached: ${(error as Error).message}` };
  }
}

/** Why a client may not call a URL; undefined if it may. */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, hostname, username, hash } = new URL(text);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return 'it is no https URL';
  return username === '' && hash === '' ? undefined : 'it has a user name or a fragment in it';
}

/** A list of strings; undefined for anything else. */
export function stringList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}
