import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Receiver, Transport } from '../client/transport.ts';
import { type Recording, readRecording } from '../features/recording/read-recording.ts';
import { type RecordedTarget, recordingWriter } from '../features/recording/recording-writer.ts';
import { type ReplayConnection, replayRecording } from '../features/recording/replay.ts';
import type { Message } from '../jsonrpc/message.ts';
import { ownIdentity } from '../protocol/identity.ts';
import { assertKnownOptions } from '../schema/known-options.ts';
import { httpTransport } from '../transports/http/client/transport.ts';
import { memoryTransport, type Serving } from '../transports/memory.ts';
import { tapTransport } from '../transports/tap-transport.ts';

/** Options of `recorded`. */
export interface RecordedOptions {
  /** Requests must come as recorded, in the same order. Default: each is answered as an equal one was. */
  strict?: boolean;
  /** Keeps secrets in messages. Default: they are masked. */
  keepSecrets?: boolean;
}

/**
 * A transport that records a server into a file on the first run, and replays the file on all further runs. The file is written
 * when the client closes. Where the variable `CI` is set, nothing is recorded: a missing file is an error.
 *
 * @example
 * const client = await connect(recorded(spawn('node', ['server.js']), 'test/session.ndjson'));
 */
export function recorded(
  server: Transport | Serving | string | URL,
  file: string,
  options: RecordedOptions = {},
): Transport {
  assertKnownOptions('recorded', options, ['strict', 'keepSecrets']);
  if (typeof file !== 'string' || file === '') throw new TypeError('recorded needs the path of a file');
  return existsSync(file) ? replayTransport(file, options) : recordTransport(server, file, options);
}

function recordTransport(
  server: Transport | Serving | string | URL,
  file: string,
  { keepSecrets = false }: RecordedOptions,
): Transport {
  if (process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false')
    throw new Error(`There is no recording ${file}, and CI records none: run the test locally, and commit the file`);
  const { transport, target } = toTransport(server);
  const partial = `${file}.partial`;
  let descriptor: number | undefined;
  let isWhole = false;
  let add: (from: 'client' | 'server', message: Message) => void = () => {};
  const tapped = tapTransport(transport, (from, message) => add(from, message));
  return {
    ...tapped,
    async start(receiver) {
      if (descriptor === undefined) {
        mkdirSync(dirname(file), { recursive: true });
        const opened = openSync(partial, 'w', 0o600);
        descriptor = opened;
        const write = (line: string): void => void writeSync(opened, line);
        const connection = recordingWriter({ write, version: ownIdentity.version, keepSecrets }).connect(target);
        add = (from, message) => {
          isWhole ||= from === 'server';
          connection.frame(from, JSON.stringify(message));
        };
      }
      await tapped.start({
        methods: receiver.methods,
        receive: (message) => receiver.receive(message),
        warn: (text) => receiver.warn(text),
        sessionLost: () => receiver.sessionLost(),
        closed(reason) {
          isWhole = false;
          receiver.closed(reason);
        },
      });
    },
    async close(graceMs) {
      // What a server said before it went away is no session to repeat.
      const isKept = isWhole;
      await tapped.close(graceMs);
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      add = () => {};
      if (isKept && !existsSync(file)) renameSync(partial, file);
      else rmSync(partial, { force: true });
    },
  };
}

function toTransport(server: Transport | Serving | string | URL): { transport: Transport; target: RecordedTarget } {
  if (typeof server === 'string' || server instanceof URL) {
    const url = String(server);
    return { transport: httpTransport(url), target: { kind: 'url', label: url } };
  }
  if ('handle' in server) return { transport: memoryTransport(server), target: { kind: 'own', label: 'server' } };
  const { kind, endpoint } = server;
  if (kind === 'http') return { transport: server, target: { kind: 'url', label: endpoint ?? kind } };
  return { transport: server, target: { kind: kind === 'stdio' ? 'command' : 'own', label: kind ?? 'server' } };
}

/** A transport whose server is a recording. */
function replayTransport(file: string, { strict = false }: RecordedOptions): Transport {
  let recording: Recording | undefined;
  let connection: ReplayConnection | undefined;
  return {
    streamPerRequest: false,
    kind: 'recording',
    async start(receiver: Receiver) {
      recording ??= await readRecording(file);
      const [problem] = recording.problems;
      if (problem !== undefined) receiver.warn(`${file}: ${problem}`);
      connection = replayRecording(recording, { strict }).open((message) => receiver.receive(message));
    },
    send(message) {
      // As with any other transport, `send` returns before an answer arrives.
      const copy = JSON.parse(JSON.stringify(message)) as Message;
      queueMicrotask(() => connection?.receive(copy));
      return undefined;
    },
    async close() {
      connection = undefined;
      await recording?.close();
      recording = undefined;
    },
  };
}
