// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { connect, sseTransport } from '@ccmcp/core/client';
import { serveTurns } from '../client-turns.mjs';

/** For a gateway that speaks HTTP+SSE only. */
serveTurns(async (_, target) => {
  const client = await connect(sseTransport(target), { checkOutput: false });
  return {
    call: (message) => client.callTool('bench__echo', { message }),
    close: () => client.close(),
  };
});
