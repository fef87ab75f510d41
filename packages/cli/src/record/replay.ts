import { readRecording, replayRecording } from '@ccmcp/core/recording';
import { Failure } from '../command/failure.ts';
import { interruptible } from '../command/interruptible.ts';
import { messageLine } from '../terminal/message-line.ts';
import { print, printStderr } from '../terminal/print.ts';
import { keepProgressGap } from './progress-gap.ts';
import { replayUpstream } from './replay-upstream.ts';

/** The command line of `ccmcp replay`. */
export interface ReplayCall {
  readonly file: string;
  readonly strict: boolean;
  readonly http: string | undefined;
}

/** Serves a recording until the client ends. Returns the exit code. */
export async function replay(call: ReplayCall): Promise<number> {
  await interruptible((signal) => serveRecording(call, signal));
  return 0;
}

async function serveRecording({ file, strict, http }: ReplayCall, signal: AbortSignal): Promise<void> {
  const { parseListenAddress, listenLocally, serveUntil } = await import('./http-listener.ts');
  const address = http === undefined ? undefined : parseListenAddress(http);
  const recording = await readRecording(file).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? `There is no file ${file}` : `${file} can't be replayed: ${message}`;
    throw new Failure('usage', reason, { cause: error });
  });
  for (const problem of recording.problems) printStderr(messageLine(`${file}: ${problem}`));
  const open = keepProgressGap(replayUpstream(replayRecording(recording, { strict })));
  if (address === undefined) {
    const { serveStdio } = await import('./serve-stdio.ts');
    await serveStdio(open, signal);
  } else {
    const { HttpEndpoint } = await import('./http-endpoint.ts');
    const endpoint = new HttpEndpoint(open, '/mcp');
    const { server, origin } = await listenLocally(address, (request, response) => endpoint.handle(request, response));
    print(`Replaying ${file} at ${origin}/mcp\nCtrl+C stops it.\n`);
    await serveUntil(server, signal);
    await endpoint.close();
  }
  await recording.close();
}
