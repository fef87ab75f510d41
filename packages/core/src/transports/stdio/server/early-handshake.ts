import type { Readable, Writable } from 'node:stream';
import type { RateSpec } from '../../../features/rate-limit/rate-spec.ts';
import type { FramingName } from '../../../jsonrpc/framing/detect.ts';
import { encode, parseMessage, type Request } from '../../../jsonrpc/message.ts';
import type { Engine } from '../../../server/engine.ts';
import { answerHandshake } from '../../../server/methods/initialize.ts';
import type { Write } from './write-buffer.ts';

const LF = 10;
const OPENING_BRACE = 0x7b;

/** The events on a pair of streams before they had a connection. */
export interface EarlyEvents {
  /** The `initialize` that was answered. */
  handshake: Request | undefined;
  /** The input that was read and not answered. */
  readonly chunks: (Buffer | string)[];
  inputEnded: boolean;
  outputError: Error | undefined;
  outputClosed: boolean;
  /** Stops listening: a connection takes over. */
  stop(): void;
}

/** Options of an early handshake. */
export interface EarlyHandshakeOptions {
  input: Readable;
  output: Writable;
  write: Write;
  framing: FramingName;
  maxMessage: number;
  /** Counts requests, handshakes too. */
  rates: RateSpec | undefined;
  /** Called when a connection is needed: anything but a plain handshake happened. */
  onMore(): void;
  /** Called when the handshake was answered. */
  onAnswered(): void;
}

/** Answers a plain `initialize`, so that the client need not wait until all that serves calls is loaded. */
export function answerEarly(server: Engine, options: EarlyHandshakeOptions): EarlyEvents {
  const { input, output, write, onMore, onAnswered } = options;
  const events: EarlyEvents = {
    handshake: undefined,
    chunks: [],
    inputEnded: false,
    outputError: undefined,
    outputClosed: false,
    stop,
  };

  function onData(chunk: Buffer | string): void {
    const answer = events.handshake === undefined && events.chunks.length === 0 ? answerTo(chunk) : undefined;
    if (answer !== undefined) {
      write(answer, () => {});
      onAnswered();
      return;
    }
    events.chunks.push(chunk);
    input.pause();
    onMore();
  }

  function answerTo(chunk: Buffer | string): string | undefined {
    if (options.framing === 'content-length' || options.rates !== undefined || !server.hasPlainHandshake)
      return undefined;
    const request = typeof chunk === 'string' ? undefined : readHandshake(chunk, options.maxMessage);
    if (request === undefined) return undefined;
    try {
      const text = encode(answerHandshake(server, request));
      if (text.length > server.settings.maxResult) return undefined;
      events.handshake = request;
      return `${text}\n`;
    } catch {
      // The connection reports the error.
      return undefined;
    }
  }

  function onInputEnd(): void {
    events.inputEnded = true;
    onMore();
  }

  function onOutputError(error: Error): void {
    events.outputError = error;
    onMore();
  }

  function onOutputClose(): void {
    events.outputClosed = true;
    onMore();
  }

  function stop(): void {
    input.off('data', onData).off('end', onInputEnd).off('close', onInputEnd).off('error', onInputEnd);
    output.off('error', onOutputError).off('close', onOutputClose);
  }

  output.on('error', onOutputError).on('close', onOutputClose);
  input.on('data', onData).on('end', onInputEnd).on('close', onInputEnd).on('error', onInputEnd);
  return events;
}

/** The `initialize` in a chunk that is one line and nothing else. */
function readHandshake(chunk: Buffer, maxMessage: number): Request | undefined {
  if (chunk[0] !== OPENING_BRACE || chunk.length > maxMessage || chunk.indexOf(LF) !== chunk.length - 1)
    return undefined;
  // Without the line end, which would hide that the text is minimal JSON.
  const text = chunk.toString('utf8', 0, chunk.length - 1);
  // Invalid UTF-8 is for the framing to report.
  if (text.includes('\uFFFD')) return undefined;
  const parsed = parseMessage(text);
  if (parsed.kind !== 'request' || parsed.message.method !== 'initialize') return undefined;
  return parsed.message.params?._meta === undefined ? parsed.message : undefined;
}
