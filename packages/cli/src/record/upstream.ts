import type { Message } from '@ccmcp/core/client';
import type { RecordedConnection } from '@ccmcp/core/recording';
import { isRecord } from '../system/record.ts';

/** What a proxy or a replay passes messages to: texts of JSON, each a message or a batch. */
export interface Upstream {
  send(text: string): void;
  close(): Promise<void>;
}

/** Receives what an upstream says. */
export interface UpstreamEvents {
  frame(text: string): void;
  /** The upstream is over; `problem` says why, unless that is usual. */
  closed(problem?: string): void;
}

/** Opens an upstream for one client. */
export type OpenUpstream = (events: UpstreamEvents) => Promise<Upstream>;

/** Records what passes. */
export function recordUpstream(open: OpenUpstream, connect: () => RecordedConnection): OpenUpstream {
  return async (events) => {
    const connection = connect();
    const upstream = await open({
      ...events,
      frame(text) {
        connection.frame('server', text);
        events.frame(text);
      },
    });
    return {
      ...upstream,
      send(text) {
        connection.frame('client', text);
        upstream.send(text);
      },
    };
  };
}

/** A destination of single messages. */
export interface MessageSink {
  send(message: Message): void;
  close(): Promise<void>;
}

/** Answers that a batch waits for. */
interface Batch {
  readonly waiting: Set<string>;
  readonly answers: Message[];
}

/** An upstream over single messages: a batch is sent one by one, and answered by one batch. */
export async function messageUpstream(
  { frame }: Pick<UpstreamEvents, 'frame'>,
  open: (receive: (message: Message) => void) => Promise<MessageSink>,
): Promise<Upstream> {
  const batches = new Map<string, Batch>();
  const sink = await open((message) => {
    const key = 'method' in message ? undefined : idKey(message.id);
    const batch = key === undefined ? undefined : batches.get(key);
    if (batch === undefined || key === undefined) return frame(JSON.stringify(message));
    batches.delete(key);
    batch.waiting.delete(key);
    batch.answers.push(message);
    if (batch.waiting.size === 0) frame(JSON.stringify(batch.answers));
  });
  return {
    send(text) {
      const value = parse(text);
      if (value === undefined) return frame(errorText(-32_700, 'Parse error: this is no JSON'));
      const messages = Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
      if (messages.length === 0) return frame(errorText(-32_600, 'Invalid request: this is no message'));
      if (Array.isArray(value)) {
        const batch: Batch = { waiting: new Set(messages.filter(isRequest).map(({ id }) => idKey(id))), answers: [] };
        for (const key of batch.waiting) batches.set(key, batch);
      }
      for (const message of messages) sink.send(message as unknown as Message);
    },
    close: () => sink.close(),
  };
}

/** Parses JSON; undefined if it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True for a message that is to be answered. */
export function isRequest({ id, method }: Record<string, unknown>): boolean {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
}

/** `1` is not `"1"`. */
export function idKey(id: unknown): string {
  return JSON.stringify(id) ?? '';
}

/** An error response to a message without a readable id. */
export function errorText(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
}
