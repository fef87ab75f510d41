import { statelessVersions } from '../../../revisions/history.ts';
import type { Method } from '../../call/call.ts';
import { instructionsOf } from '../../options.ts';

/** Serves `server/discover`: what the server is and offers. */
export const discover: Method = {
  run({ server, revision }) {
    const instructions = instructionsOf(server);
    return {
      supportedVersions: statelessVersions,
      capabilities: server.capabilities.forRevision(revision),
      ...(instructions !== undefined && { instructions }),
    };
  },
};
