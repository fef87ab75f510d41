import type { LogLevel } from '@ccmcp/core';
import { appsClient } from '@ccmcp/core/apps';
import { type Client, connect, type ConnectOptions, memoryTransport, recorded, spawn } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import { connectHttp } from '../../probe/open-client.ts';
import type { EventLog } from '../log/event-log.ts';
import type { ConnectionState } from './connection-state.ts';
import type { Exchanges } from './exchanges.ts';
import type { MessageTracker } from './message-tracker.ts';
import type { Questions } from './questions.ts';

/** Timeout of a ping that checks whether a server is still reachable. */
export const pingTimeoutMs = 5000;

/** Options of `openClient`. */
export interface OpenClientOptions {
  readonly state: ConnectionState;
  readonly tracker: MessageTracker;
  readonly exchanges: Exchanges;
  readonly log: EventLog;
  readonly questions: Questions;
  /** Version of the inspector. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onClose: (reason: Error) => void;
}

/** Connects to the target of a connection, with all traffic observed. */
export async function openClient(opening: OpenClientOptions): Promise<Client> {
  const { state, tracker, exchanges } = opening;
  const { target } = state;
  const options = { ...connectOptions(opening), ...(await pinOptions(opening)) };
  if (target.kind === 'own') {
    const transport = memoryTransport(target.server);
    return connect(
      recorded(transport, (sender, message) => tracker.onFrame(sender, JSON.stringify(message))),
      options,
    );
  }
  if (target.kind === 'command') {
    const { command, args, cwd, env, framing } = target;
    const transport = spawn(command, args, {
      name: target.label,
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env: { ...env } }),
      ...(framing !== undefined && { framing }),
      stderr: (text) => state.onStderr(text),
      tap: (sender, text) => {
        if (sender === 'server') state.onResponse();
        tracker.onFrame(sender, text);
      },
    });
    return connect(transport, options);
  }
  const headers = { ...target.headers, ...state.settings.headers };
  const isGiven = Object.keys(headers).some((name) => /^authorization$/i.test(name));
  const auth = isGiven ? undefined : (state.auth ?? (await target.auth?.(exchanges.tap)));
  const http = { headers, tap: exchanges.tap, ...(auth !== undefined && { auth }) };
  return connectHttp(target.url, http, options);
}

async function pinOptions({ state }: OpenClientOptions): Promise<Pick<ConnectOptions, 'lock' | 'onHeldBack'>> {
  const { pin } = state.target;
  return pin === undefined ? {} : { lock: await pin.lock(), onHeldBack: (held) => state.held.add(held) };
}

function connectOptions({
  state,
  tracker,
  log,
  questions,
  version,
  signal,
  onClose,
}: OpenClientOptions): ConnectOptions {
  const { id, settings } = state;
  const { era = 'auto', version: revision, timeoutMs, logLevel, sampling = true, elicitation = true } = settings;
  return {
    clientInfo: { name: 'ccmcp-inspector', version },
    extensions: [{ id: 'io.modelcontextprotocol/skills' }, appsClient, tasksClient()],
    era,
    ...(revision !== undefined && { version: revision }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(logLevel !== undefined && { logLevel: logLevel as LogLevel }),
    // Every request reaches the server, and results are shown as received.
    cache: false,
    checkOutput: false,
    retries: 0,
    observers: [tracker.observer],
    signal,
    // The settings at the time of the question.
    roots: () => [...(state.settings.roots ?? [])],
    ...(elicitation && {
      elicit: (question, asked) => questions.elicit(id, question, asked.signal),
      elicitUrl: (question, asked) => questions.elicitUrl(id, question, asked.signal),
    }),
    ...(sampling && {
      sample: (question, asked) => questions.sample(id, question, asked.signal),
      capabilities: { sampling: { tools: {} } },
    }),
    onWarning: (message) => void log.add('warning', { connection: id, message: message.slice(0, 2000) }),
    onClose,
  };
}
