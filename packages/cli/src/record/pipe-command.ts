import { once } from 'node:events';
import { createFraming, type FramingName, type RecordedConnection, type RecordedSender } from '@ccmcp/core/recording';
import { host } from '../host.ts';
import { printBytes } from '../terminal/print.ts';
import { endCommand, maxMessage, startCommand, type StartedCommand } from './command-upstream.ts';

/** Passes bytes between stdin and stdout and a command, unchanged, and records the messages in them. Returns its exit code. */
export async function pipeCommand(
  started: StartedCommand,
  { connection, signal }: { connection: RecordedConnection; signal: AbortSignal },
): Promise<number> {
  const child = await startCommand(started);
  const { stdin, stdout } = host;
  const client = frameReader('auto', connection, 'client');
  const server = frameReader(started.framing, connection, 'server');
  const ended = once(child, 'close');
  stdin.on('data', (chunk: Buffer) => {
    client.push(chunk);
    if (child.stdin.write(chunk)) return;
    stdin.pause();
    child.stdin.once('drain', () => stdin.resume());
  });
  stdin.once('end', () => {
    client.end();
    void endCommand(child);
  });
  child.stdout.on('data', (chunk: Buffer) => {
    server.push(chunk);
    printBytes(chunk);
    if (!stdout.writableNeedDrain) return;
    child.stdout.pause();
    stdout.once('drain', () => child.stdout.resume());
  });
  const onClosedOutput = (): void => void endCommand(child);
  stdout.once('error', onClosedOutput);
  const interrupt = (): void => void endCommand(child);
  if (signal.aborted) interrupt();
  else signal.addEventListener('abort', interrupt, { once: true });
  const [code] = (await ended) as [number | null];
  server.end();
  stdin.pause();
  stdout.off('error', onClosedOutput);
  signal.throwIfAborted();
  return code ?? 1;
}

/** Reads the messages in a stream of bytes. */
function frameReader(
  name: FramingName,
  connection: RecordedConnection,
  from: RecordedSender,
): { push(chunk: Buffer): void; end(): void } {
  const framing = createFraming(name, maxMessage);
  const read = (): void => {
    for (let item = framing.next(); item !== undefined; item = framing.next())
      connection.frame(from, typeof item === 'string' ? item : (item.start ?? ''));
  };
  return {
    push(chunk) {
      framing.push(chunk);
      read();
    },
    end() {
      framing.end();
      read();
    },
  };
}
