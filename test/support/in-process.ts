import { ccmcpServer } from '@ccmcp/servers/ccmcp';
import { onTestFinished } from 'vitest';
import type { StartOptions } from './ccmcp.ts';
import { McpClient } from './mcp-client.ts';
import { streamWire, type TextWire } from './wires.ts';

/** Serves what `./ccmcp` serves on streams in this process, silently: for what does not depend on a process. */
export function startInProcess(options: Pick<StartOptions, 'version' | 'framing'> & { root?: string } = {}): {
  client: McpClient;
  wire: TextWire;
} {
  const { version = '2025-11-25', framing = 'newline', root } = options;
  const wire = streamWire(ccmcpServer({ root, logLevel: 'emergency' }), framing);
  onTestFinished(() => wire.close());
  return { client: new McpClient(wire, { version }), wire };
}

/** The same, after the handshake. */
export async function connectInProcess(
  options: Parameters<typeof startInProcess>[0] = {},
): Promise<ReturnType<typeof startInProcess>> {
  const started = startInProcess(options);
  await started.client.initialize();
  return started;
}
