import type { Client } from '../client/client.ts';
import { connect } from '../client/connect.ts';
import type { ConnectOptions, LogMessage } from '../client/connect-options.ts';
import type { Transport } from '../client/transport.ts';
import { memoryTransport, type Serving } from '../transports/memory.ts';
import { recorded } from '../transports/recording-transport.ts';
import { remember, Transcript } from './transcript.ts';
import { written } from './copying-transport.ts';

/** How a server under test is talked to: the protocol version, what the client can be asked, and so on. */
export interface TestClientOptions extends ConnectOptions {
  /** Another way to the server than memory. */
  transport?: (server: Serving) => Transport;
}

/** A client that remembers what was said. */
export type TestClient = Client & {
  readonly transcript: Transcript;
  /** The log messages that the server has sent. */
  readonly logs: readonly LogMessage[];
};

/**
 * Puts a server under test: a client in the same process, without ports or child processes, in the newest protocol
 * version or any other. An error of any of its methods has the transcript in its message.
 */
export async function testClient(server: Serving, options: TestClientOptions = {}): Promise<TestClient> {
  const { transport = (tested) => written(memoryTransport(tested)), ...rest } = options;
  const transcript = new Transcript();
  const logs: LogMessage[] = [];
  const recording = recorded(transport(server), (sender, message) => transcript.add(sender, message));
  const connecting = connect(recording, {
    onWarning: () => {},
    ...rest,
    onLog(message) {
      logs.push(message);
      options.onLog?.(message);
    },
  });
  const client = await connecting.catch((error: unknown) => {
    throw explained(error, transcript);
  });
  return watched(client, { transcript, logs });
}

/** The client, with more members, and with methods whose results and errors know the transcript. */
function watched(client: Client, more: Pick<TestClient, 'transcript' | 'logs'>): TestClient {
  const { transcript } = more;
  return new Proxy(client, {
    get(target, key) {
      if (Object.hasOwn(more, key)) return Reflect.get(more, key);
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const outcome: unknown = Reflect.apply(member, target, args);
        return outcome instanceof Promise ? noted(outcome, transcript) : outcome;
      };
    },
  }) as TestClient;
}

async function noted(outcome: Promise<unknown>, transcript: Transcript): Promise<unknown> {
  try {
    const result = await outcome;
    remember(result, transcript);
    return result;
  } catch (error) {
    throw explained(error, transcript);
  }
}

/** The same error, so that its class and its members can still be looked at. */
function explained(error: unknown, transcript: Transcript): unknown {
  if (error instanceof Error) error.message = `${error.message}\n\nWhat was said:\n${transcript.toString()}`;
  return error;
}
