// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { connect, httpTransport, spawn } from '@ccmcp/core/client';
import { serveTurns } from '../client-turns.mjs';

serveTurns(async (transport, target, era) => {
  const reached = transport === 'http' ? httpTransport(target) : spawn(process.execPath, [target]);
  const client = await connect(reached, { era: era === 'handshake' ? 'handshake' : 'stateless' });
  return {
    call: (message) => client.callTool('echo', { message }),
    close: () => client.close(),
  };
});
