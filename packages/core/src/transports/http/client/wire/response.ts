import type { AbortSignalLike } from '../../../../client/abort-signals.ts';
import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';

/** One HTTP request, before headers of the options and credentials are added. */
export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  /** True: nobody has added to the headers, so that none stands there twice, and none that Node would add. */
  unmixed?: boolean;
  /** True: served twice, it may have its effect twice, so it is sent again only where it surely was not served. */
  once?: boolean;
  signal: AbortSignalLike;
}

/** An HTTP response whose body has not been read yet. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** The address that answered, where it is known. */
  readonly address?: string | undefined;
  header(name: string): string | undefined;
  /** All headers, as they came; for whoever shows them. */
  headers?(): readonly (readonly [name: string, value: string])[];
  /** The body as it comes. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; undefined where it is longer than wanted. */
  text(most: number): Promise<string | undefined>;
  /** Says that the body is not wanted. */
  discard(): void;
}

/** Sends a request and waits for the head of its response. Rejects where the network fails. */
export type SendRequest = (url: URL, outgoing: OutgoingRequest) => Promise<HttpResponse>;

/** True where the server took the request. */
export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** What kind of body the server names, without parameters; empty where it names none. */
export function mediaType(response: HttpResponse): string {
  return (response.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body to its end, unless it is longer than wanted. */
export async function readText(body: AsyncIterable<Uint8Array>, most: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** True for a message that a server must not get twice: what else is asked for or told again does no harm. */
export function mustSendOnce(message: Message, methods: MethodTable): boolean {
  return 'method' in message && methods.of(message.method).repeatable !== true;
}
