import { apiPaths } from '../../shared/api-paths.ts';
import type { RequestBody, ResponseBody, RequestFailure, RequestName } from '../../shared/requests.ts';
import { saveToTab, loadFromTab } from './tab-storage.ts';
import { openedRecording } from './route.ts';

/** Error response of the inspector server. */
class RequestError extends Error {
  readonly advice: string | undefined;
  readonly status: number;

  constructor({ error }: RequestFailure, status: number) {
    super(error.message);
    this.advice = error.advice;
    this.status = status;
  }
}

/** Takes the token from the URL and keeps it for this tab. */
export function readToken(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  saveToTab('token', given);
  const rest = loadFromTab('place') ?? '';
  history.replaceState(null, '', `${location.pathname}${location.search}${rest}`);
}

/** Authorization header of every request. */
export function authorization(): { Authorization: string } {
  return { Authorization: `Bearer ${loadFromTab('token') ?? ''}` };
}

/** Requests that concern no connection, so they work while a recording is shown. */
const allowedInRecording: ReadonlySet<RequestName> = new Set(['check', 'copy-as', 'recordings', 'set-page-settings']);

/** Ids in a recording belong to another run. */
function assertLive(name?: RequestName): void {
  if (openedRecording.value === undefined || (name !== undefined && allowedInRecording.has(name))) return;
  throw new RequestError({ error: { message: 'This is a recording.', advice: 'Go back to live, and try again.' } }, 0);
}

/** Sends a request to the inspector server. */
export async function request<Name extends RequestName>(
  name: Name,
  body: RequestBody<Name>,
): Promise<ResponseBody<Name>> {
  assertLive(name);
  const response = await fetchOrFail(apiPaths.request(name), {
    method: 'POST',
    headers: { ...authorization(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await readResponse(response)) as ResponseBody<Name>;
}

/** Fetches JSON from the inspector server. */
export async function fetchJson<Answer>(address: string): Promise<Answer> {
  assertLive();
  return (await readResponse(await fetchOrFail(address, { headers: authorization() }))) as Answer;
}

/** Fetches a file from the inspector server. */
export async function fetchFile(address: string): Promise<Blob> {
  const response = await fetchOrFail(address, { headers: authorization() });
  if (!response.ok) await readResponse(response);
  return response.blob();
}

async function fetchOrFail(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    const message = 'The inspector does not respond.';
    throw new RequestError(
      { error: { message, advice: 'Check that `ccmcp inspect` is still running, or start it again.' } },
      0,
    );
  }
}

async function readResponse(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  const failure = body as RequestFailure | undefined;
  const message = `The inspector responded with status ${response.status}.`;
  throw new RequestError(failure?.error === undefined ? { error: { message } } : failure, response.status);
}

/** Lets the browser save a file. */
export function downloadFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
