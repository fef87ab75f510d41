import { ask } from '../http.ts';

/** A JSON document at an address, or why there is none. */
export interface Document {
  url: string;
  status: number;
  /** What is in it, where that is an object. */
  fields?: Readonly<Record<string, unknown>>;
  /** Why it can't be used, in words. */
  problem?: string;
  /** Whether pages of other origins may read it. */
  open: boolean;
}

const patienceMs = 10_000;
/** The page that a browser would ask for. */
const origin = 'https://client.example';

/** Looks at a document. Nothing is followed: clients must not, either. */
export async function look(url: string): Promise<Document> {
  const unsafe = unsafety(url);
  if (unsafe !== undefined) return { url, status: 0, open: false, problem: unsafe };
  try {
    const headers = { accept: 'application/json', origin };
    const answer = await ask(new URL(url), { method: 'GET', headers, patienceMs });
    const { status, body } = answer;
    const allowed = answer.headers['access-control-allow-origin'];
    const about = { url, status, open: allowed === '*' || allowed === origin };
    if (status >= 300 && status < 400) return { ...about, problem: `it leads to another place (${status})` };
    if (status !== 200) return { ...about, problem: `it is answered with ${status}` };
    const fields = objectIn(body);
    return fields === undefined ? { ...about, problem: 'it is no JSON object' } : { ...about, fields };
  } catch (error) {
    return { url, status: 0, open: false, problem: `it can't be reached: ${(error as Error).message}` };
  }
}

/** Why an address may not be called by a client; undefined where it may. */
export function unsafety(text: string): string | undefined {
  if (!URL.canParse(text)) return 'it is no URL';
  const { protocol, hostname, username, hash } = new URL(text);
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return 'it is no https URL';
  return username === '' && hash === '' ? undefined : 'it has a user name or a fragment in it';
}

/** A list of texts; undefined for everything else. */
export function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

function objectIn(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
