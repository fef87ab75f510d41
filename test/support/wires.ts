import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import type { Server } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';
import type { Message, Response } from '../../packages/core/src/jsonrpc/message.ts';
import { Pending } from '../../packages/core/src/jsonrpc/pending.ts';
import type { Auth, Peer } from '../../packages/core/src/server/peer.ts';
import { Session } from '../../packages/core/src/server/session.ts';
import type { JsonRpcMessage, Wire } from './mcp-client.ts';

/** A wire without texts: messages go directly to `server.handle`, with an authenticated caller if given. */
export function memoryWire(server: Server, auth?: Auth): Wire {
  let listener: (message: JsonRpcMessage) => void = () => {};
  const tell = (message: Message): void => listener(JSON.parse(JSON.stringify(message)) as JsonRpcMessage);
  const pending = new Pending();
  const session = new Session(tell);
  session.principal = auth?.principal;
  const peer: Peer = {
    ...(auth && { auth }),
    session,
    running: new Map(),
    send: tell,
    ask: (method, params, signal) => pending.ask(method, params, tell, signal),
    settle: (response) => pending.settle(response),
  };
  const answer = (response: Response | undefined): void => {
    if (response === undefined) return;
    tell(response);
    if (response.id === session.handshake) session.sendEarly();
  };
  return {
    receive: (given) => {
      listener = given;
    },
    send: (message) => {
      void Promise.resolve(server.handle(message as Message, peer)).then(answer);
    },
    close: async () => {
      for (const call of peer.running.values()) call.cancel();
      session.end();
    },
  };
}

export type Framing = 'newline' | 'content-length';

/** A wire of framed texts. */
export interface TextWire extends Wire {
  /** Sends a text unchanged, in its own frame. */
  sendText(text: string): void;
}

/** A wire through `serveStdio` over streams in this process. */
export function streamWire(server: Server, framing: Framing): TextWire {
  const input = new PassThrough();
  const output = new PassThrough();
  const serving = serveStdio(server, { input, output, grace: 0 });
  return {
    ...framedWire(framing, (text) => input.write(text), output),
    close: async () => {
      input.end();
      await serving.closed;
    },
  };
}

export interface ChildWire extends TextWire {
  /** Writes bytes unchanged. */
  write(bytes: string | Uint8Array): void;
  /** The stderr output so far. */
  stderr(): string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly pid: number;
}

/** A wire to a process over its stdin and stdout. */
export function childWire(
  command: string,
  args: string[],
  options: { framing?: Framing; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): ChildWire {
  const child = spawn(command, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: 'pipe' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    ...framedWire(options.framing ?? 'newline', (text) => child.stdin.write(text), child.stdout),
    write: (bytes) => child.stdin.write(bytes),
    stderr: () => stderr,
    exited,
    pid: child.pid as number,
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

function framedWire(
  framing: Framing,
  write: (text: string) => void,
  output: NodeJS.ReadableStream,
): Omit<TextWire, 'close'> {
  const sendText = (text: string): void => {
    write(framing === 'newline' ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  return {
    sendText,
    send: (message) => sendText(JSON.stringify(message)),
    receive: (listener) => {
      let buffer: Buffer = Buffer.alloc(0);
      output.on('data', (chunk: Buffer) => {
        buffer = Buffer.concat([buffer, chunk]);
        for (let frame = takeFrame(buffer, framing); frame !== undefined; frame = takeFrame(buffer, framing)) {
          buffer = frame.rest;
          listener(JSON.parse(frame.text) as JsonRpcMessage);
        }
      });
    },
  };
}

/** A second framing parser, so that ours is not tested against itself. */
function takeFrame(buffer: Buffer, framing: Framing): { text: string; rest: Buffer } | undefined {
  if (framing === 'newline') {
    const end = buffer.indexOf('\n');
    return end === -1 ? undefined : { text: buffer.toString('utf8', 0, end), rest: buffer.subarray(end + 1) };
  }
  const headerEnd = buffer.indexOf('\r\n\r\n');
  if (headerEnd === -1) return undefined;
  const length = Number(/Content-Length: (\d+)/.exec(buffer.toString('utf8', 0, headerEnd))?.[1]);
  const start = headerEnd + 4;
  if (buffer.length < start + length) return undefined;
  return { text: buffer.toString('utf8', start, start + length), rest: buffer.subarray(start + length) };
}
