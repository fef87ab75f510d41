import type { Client } from '../client/client.ts';
import { connect } from '../client/connect.ts';
import { internalsOf, setInternals } from '../client/internals.ts';
import type { ConnectOptions, LogMessage } from '../client/connect-options.ts';
import type { Transport } from '../client/transport.ts';
import { memoryTransport, type Serving } from '../transports/memory.ts';
import { tapTransport } from '../transports/tap-transport.ts';
import { attachTranscript, Transcript } from './transcript.ts';
import type { Message } from '../jsonrpc/message.ts';

/** Options of `testClient`. */
export interface TestClientOptions extends ConnectOptions {
  /** A transport instead of memory. */
  transport?: (server: Serving) => Transport;
}

/** A client that records all messages. */
export type TestClient = Client & {
  readonly transcript: Transcript;
  /** The log messages of the server. */
  readonly logs: readonly LogMessage[];
};

/**
 * Connects a client to a server in the same process, without ports or child processes, with any protocol version.
 * Errors of its methods contain the transcript.
 */
export async function testClient(server: Serving, options: TestClientOptions = {}): Promise<TestClient> {
  const { transport = (tested) => copyingTransport(memoryTransport(tested)), ...rest } = options;
  const transcript = new Transcript();
  const logs: LogMessage[] = [];
  const recording = tapTransport(transport(server), (sender, message) => transcript.add(sender, message));
  const connecting = connect(recording, {
    onWarning: () => {},
    ...rest,
    onLog(message) {
      logs.push(message);
      options.onLog?.(message);
    },
  });
  const client = await connecting.catch((error: unknown) => {
    throw addTranscript(error, transcript);
  });
  return withTranscript(client, { transcript, logs });
}

/** Adds members to the client, and attaches the transcript to results and errors. */
function withTranscript(client: Client, more: Pick<TestClient, 'transcript' | 'logs'>): TestClient {
  const { transcript } = more;
  const proxy = new Proxy(client, {
    get(target, key) {
      if (Object.hasOwn(more, key)) return Reflect.get(more, key);
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const outcome: unknown = Reflect.apply(member, target, args);
        return outcome instanceof Promise ? recordOutcome(outcome, transcript) : outcome;
      };
    },
  }) as TestClient;
  setInternals(proxy, internalsOf(client));
  return proxy;
}

async function recordOutcome(outcome: Promise<unknown>, transcript: Transcript): Promise<unknown> {
  try {
    const result = await outcome;
    attachTranscript(result, transcript);
    return result;
  } catch (error) {
    throw addTranscript(error, transcript);
  }
}

/** Changes the error in place, to keep its class and members; one whose message is read-only, such as an `AbortError`, stays as it is. */
function addTranscript(error: unknown, transcript: Transcript): unknown {
  if (error instanceof Error) {
    Reflect.set(error, 'message', `${error.message}\n\nThe messages:\n${transcript.toString()}`);
  }
  return error;
}

/**
 * Makes a memory transport behave like one between processes: messages are copied as JSON and arrive asynchronously.
 */
function copyingTransport(transport: Transport): Transport {
  return {
    ...transport,
    start: (receiver) =>
      transport.start({
        methods: receiver.methods,
        receive: (message) => receiver.receive(jsonCopy(message)),
        warn: (text) => receiver.warn(text),
        sessionLost: () => receiver.sessionLost(),
        closed: (reason) => receiver.closed(reason),
      }),
    send(message) {
      const sent = jsonCopy(message);
      queueMicrotask(() => void transport.send(sent));
      return undefined;
    },
  };
}

function jsonCopy(message: Message): Message {
  return JSON.parse(JSON.stringify(message)) as Message;
}
