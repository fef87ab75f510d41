import { createFraming } from '@ccmcp/core/recording';
import { host } from '../host.ts';
import { printBytes } from '../terminal/print.ts';
import { maxMessage } from './command-upstream.ts';
import { errorText, type OpenUpstream } from './upstream.ts';

/** Serves an upstream on stdin and stdout until the client ends. Returns why the upstream ended before; undefined if it did not. */
export async function serveStdio(open: OpenUpstream, signal: AbortSignal): Promise<string | undefined> {
  const { stdin } = host;
  const framing = createFraming('auto', maxMessage);
  const write = (text: string): void => printBytes(Buffer.from(framing.frame(text)));
  let close: (problem?: string) => void = () => {};
  const closed = new Promise<string | undefined>((resolve) => {
    close = resolve;
  });
  const upstream = await open({ frame: write, closed: (problem) => close(problem) });
  const read = (): void => {
    for (let item = framing.next(); item !== undefined; item = framing.next()) {
      if (typeof item === 'string') upstream.send(item);
      else write(errorText(-32_600, `Invalid request: ${item.message}`));
    }
  };
  stdin.on('data', (chunk: Buffer) => {
    framing.push(chunk);
    read();
  });
  stdin.once('end', () => {
    framing.end();
    read();
    close();
  });
  signal.addEventListener('abort', () => close(), { once: true });
  const problem = await closed;
  stdin.pause();
  await upstream.close();
  signal.throwIfAborted();
  return problem;
}
