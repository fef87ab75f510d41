import type { AbortSignalLike } from '../../../../client/abort-signals.ts';
import type { Message } from '../../../../jsonrpc/message.ts';
import type { MethodTable } from '../../../../protocol/methods.ts';

/** An HTTP request, before headers of the options and credentials are added. */
export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  /** True: the headers have no additions, so no duplicates and none that Node would add. */
  isComplete?: boolean;
  /** True: serving it twice may have its effect twice, so it is retried only if it was surely not served. */
  once?: boolean;
  signal: AbortSignalLike;
}

/** An HTTP response whose body was not read yet. */
export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  /** The remote address, if known. */
  readonly address?: string | undefined;
  header(name: string): string | undefined;
  /** All headers as received, for display. */
  headers?(): readonly (readonly [name: string, value: string])[];
  /** The body as a stream. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body; undefined if it is longer than `maxBytes`. */
  text(maxBytes: number): Promise<string | undefined>;
  /** Discards the body. */
  discard(): void;
}

/** Sends a request and waits for the head of its response. Rejects if the network fails. */
export type SendRequest = (url: URL, outgoing: OutgoingRequest) => Promise<HttpResponse>;

/** True for a 2xx status. */
export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** The media type without parameters; empty if there is none. */
export function mediaType(response: HttpResponse): string {
  return (response.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body to its end; undefined if it is longer than `maxBytes`. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** True for a message that must not be delivered twice. */
export function mustSendOnce(message: Message, methods: MethodTable): boolean {
  return 'method' in message && methods.of(message.method).repeatable !== true;
}
