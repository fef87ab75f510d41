import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hello } from '../../shared/events.ts';
import type { EventLog } from '../log/event-log.ts';
import { dataHeaders } from './respond.ts';

const keepAliveMs = 15_000;
/** So much is written before the page has to read it. */
const maxChunkLength = 65_536;

/** Streams events to a page, from where it was. A page that reads slowly is waited for: nothing is held for it but the log. */
export function streamEvents(
  request: IncomingMessage,
  response: ServerResponse,
  { log, hello, after }: { log: EventLog; hello: Hello; after: string | undefined },
): void {
  const [run, number = ''] = (after ?? '').split('.');
  let last = run === log.run && /^\d{1,15}$/.test(number) ? Number(number) : 0;
  let unwake = (): void => {};
  let isWriting = false;

  response.writeHead(200, { ...dataHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: 1000\nevent: hello\ndata: ${JSON.stringify(hello)}\n\n`);

  const write = (): void => {
    if (isWriting || response.destroyed || response.writableEnded) return;
    isWriting = true;
    unwake();
    let text = '';
    for (const { n, json } of log.after(last)) {
      last = n;
      text += `id: ${log.run}.${n}\ndata: ${json}\n\n`;
      if (text.length >= maxChunkLength) break;
    }
    const isFull = text !== '' && !response.write(text);
    isWriting = false;
    if (isFull) response.once('drain', write);
    else if (last < log.last) setImmediate(write);
    else unwake = log.wake(() => setImmediate(write));
  };
  const alive = setInterval(() => response.writableEnded || response.write(':\n\n'), keepAliveMs).unref();
  const end = (): void => {
    clearInterval(alive);
    unwake();
  };
  request.once('close', end);
  response.once('close', end);
  write();
}
