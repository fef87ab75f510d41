import type { HttpAuth } from '@ccmcp/core/client';
import { Failure } from '../command/failure.ts';
import type { TargetCall } from '../client/context.ts';
import type { Target } from '../client/connection/target.ts';
import { hasCredentials } from '../config/server-entry.ts';
import { shellEnvironment } from '../system/environment.ts';
import { commandUpstream, type StartedCommand } from './command-upstream.ts';
import { listenLocally, parseListenAddress, serveUntil } from './http-listener.ts';
import { keepProgressGap } from './progress-gap.ts';
import { openRecordingFile, type RecordingFile } from './recording-file.ts';
import { type OpenUpstream, recordUpstream } from './upstream.ts';

/** Passes messages between a client and a target, and records them. Returns the exit code. */
export async function record({ target, options, output, signal }: TargetCall): Promise<number> {
  const { output: file, http } = options;
  if (file === undefined) throw new Failure('usage', 'The file is missing: write -o FILE');
  const address = http === undefined ? undefined : parseListenAddress(http);
  if (target.kind === 'command' && Object.keys(options.headers).length > 0)
    throw new Failure('usage', '--header is for URLs: a command gets --env');
  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  const auth = target.kind === 'url' ? await storedLogin(target.url, { options, output, signal }) : undefined;
  const { keepSecrets } = options;
  const recording = await openRecordingFile(file, { keepSecrets, onError: (error) => broken.abort(error) });
  const { writer } = recording;
  const { kind, label } = target;
  const started = target.kind === 'command' ? toCommand(target, options) : undefined;
  const connect = () => writer.connect({ kind, label });
  if (address === undefined && started !== undefined) {
    const { pipeCommand } = await import('./pipe-command.ts');
    return pipeCommand(started, { connection: connect(), signal: stop }).catch((error: unknown) => {
      throw startFailure(error, target, recording);
    });
  }
  if (address === undefined && target.kind === 'url') {
    const { urlUpstream } = await import('./url-upstream.ts');
    const { serveStdio } = await import('./serve-stdio.ts');
    const { headers } = options;
    const open = urlUpstream(target.url, { headers, auth, note: (text) => output.note(text) });
    const problem = await serveStdio(keepProgressGap(recordUpstream(open, connect)), stop);
    if (problem !== undefined) throw new Failure('unreachable', problem);
    return 0;
  }
  if (address === undefined) return 0;
  if (target.kind === 'url') {
    const { HttpProxy } = await import('./http-proxy.ts');
    const { headers } = options;
    const proxy = new HttpProxy({ target: target.url, label, writer, headers, auth });
    const { server, origin } = await listenLocally(address, (request, response) => proxy.handle(request, response));
    showAddress(`${origin}${target.url.pathname}${target.url.search}`);
    await serveUntil(server, stop);
  } else if (started !== undefined) await serveRecorded(commandUpstream(started));
  broken.signal.throwIfAborted();
  return 0;

  async function serveRecorded(open: OpenUpstream): Promise<void> {
    const { HttpEndpoint } = await import('./http-endpoint.ts');
    const endpoint = new HttpEndpoint(keepProgressGap(recordUpstream(open, connect)), '/mcp');
    const listening = await listenLocally(address as NonNullable<typeof address>, (request, response) =>
      endpoint.handle(request, response),
    );
    showAddress(`${listening.origin}/mcp`);
    await serveUntil(listening.server, stop);
    await endpoint.close();
  }

  function showAddress(url: string): void {
    output.value({ url, file }, () => `Recording at ${url} into ${String(file)}\nCtrl+C stops it.`);
  }
}

function toCommand(
  { command, args, cwd }: Extract<Target, { kind: 'command' }>,
  { env, framing }: TargetCall['options'],
): StartedCommand {
  return { command, args, ...(cwd !== undefined && { cwd }), env: { ...shellEnvironment(), ...env }, framing };
}

function startFailure(error: unknown, { label }: Target, recording: RecordingFile): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall?.startsWith('spawn') !== true) return error;
  recording.discard();
  const reason = code === 'ENOENT' ? 'there is no such program' : String(code);
  return new Failure('unreachable', `${label} can't be started: ${reason}`, { cause: error });
}

/** The stored login for a server, unless the command line has credentials. */
async function storedLogin(
  url: URL,
  { options, output, signal }: Pick<TargetCall, 'options' | 'output' | 'signal'>,
): Promise<HttpAuth | undefined> {
  if (hasCredentials(options.headers)) return undefined;
  const { signIn } = await import('../client/sign-in/sign-in.ts');
  return signIn({ output, url, attended: false, signal });
}
