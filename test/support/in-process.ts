import type { LogLevel } from '@ccmcp/core';
import { ccmcpServer } from '@ccmcp/servers/ccmcp';
import { onTestFinished } from 'vitest';
import type { StartOptions } from './ccmcp.ts';
import { McpClient } from './mcp-client.ts';
import { streamWire, type TextWire } from './wires.ts';

interface InProcessOptions extends Pick<StartOptions, 'version' | 'framing'> {
  root?: string;
  /** Default: `emergency`, since the log goes to stderr too. */
  logLevel?: LogLevel;
}

/** Serves the `./ccmcp` server on streams in this process, for tests that need no process. */
export function startInProcess(options: InProcessOptions = {}): {
  client: McpClient;
  wire: TextWire;
} {
  const { version = '2025-11-25', framing = 'newline', root, logLevel = 'emergency' } = options;
  const wire = streamWire(ccmcpServer({ root, logLevel }), framing);
  onTestFinished(() => wire.close());
  return { client: new McpClient(wire, { version }), wire };
}

/** The same, after the handshake. */
export async function connectInProcess(options: InProcessOptions = {}): Promise<ReturnType<typeof startInProcess>> {
  const started = startInProcess(options);
  await started.client.initialize();
  return started;
}
