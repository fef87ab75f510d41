import { performance } from 'node:perf_hooks';
import type { Context } from '../context.ts';
import { toOneLine } from '../../terminal/print.ts';

/** Pings the server, and shows the round-trip time. */
export async function run({ client, output, signal }: Context): Promise<void> {
  const began = performance.now();
  await client.ping({ signal });
  const milliseconds = Math.round((performance.now() - began) * 10) / 10;
  const { serverInfo: server, protocolVersion, era } = client;
  output.value({ milliseconds, server, protocolVersion, era }, () => {
    const name = toOneLine(server?.name ?? 'The server');
    return `${name} answered in ${milliseconds} ms, protocol ${protocolVersion} (${era})`;
  });
}
