import { addresses } from '../../shared/api-paths.ts';
import type { Asks, Gives, RequestFailure, RequestName } from '../../shared/requests.ts';
import { keep, kept } from './tab-storage.ts';
import { openedRecording } from './opened-recording.ts';

/** Why the server side did not do what was asked. */
export class Refusal extends Error {
  readonly advice: string | undefined;
  readonly status: number;

  constructor({ error }: RequestFailure, status: number) {
    super(error.says);
    this.advice = error.advice;
    this.status = status;
  }
}

/** The token that came in the address, kept while this tab lives. */
export function takeToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  keep('token', given);
  const rest = kept('place') ?? '';
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`);
}

/** The head of each request to the server side. */
export function authorization(): { Authorization: string } {
  return { Authorization: `Bearer ${kept('token') ?? ''}` };
}

/** What may be asked for while a recording is shown: it concerns no connection. */
const harmless: ReadonlySet<RequestName> = new Set(['check', 'copy-as', 'recordings', 'set-look']);

/** Ids in a recording are those of another run: what they name now is something else. */
function assertLive(name?: RequestName): void {
  if (openedRecording.value === undefined || (name !== undefined && harmless.has(name))) return;
  throw new Refusal({ error: { says: 'This is a recording.', advice: 'Go back to now, and do it there.' } }, 0);
}

/** Asks the server side to do something. */
export async function ask<Name extends RequestName>(name: Name, asks: Asks<Name>): Promise<Gives<Name>> {
  assertLive(name);
  const response = await reached(addresses.request(name), {
    method: 'POST',
    headers: { ...authorization(), 'Content-Type': 'application/json' },
    body: JSON.stringify(asks),
  });
  return (await answerOf(response)) as Gives<Name>;
}

/** Gets something that the server side keeps. */
export async function get<Answer>(address: string): Promise<Answer> {
  assertLive();
  return (await answerOf(await reached(address, { headers: authorization() }))) as Answer;
}

/** Gets a file that the server side writes. */
export async function getFile(address: string): Promise<Blob> {
  const response = await reached(address, { headers: authorization() });
  if (!response.ok) await answerOf(response);
  return response.blob();
}

async function reached(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    const says = 'The inspector does not answer.';
    throw new Refusal(
      { error: { says, advice: 'Look whether `ccmcp inspect` still runs; start it again where not.' } },
      0,
    );
  }
}

async function answerOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const failure = body as RequestFailure | undefined;
  const says = `The inspector answered with status ${response.status}.`;
  throw new Refusal(failure?.error === undefined ? { error: { says } } : failure, response.status);
}
