import { statelessVersions } from '../../../revisions/history.ts';
import type { Method } from '../../call/call.ts';
import { instructionsOf } from '../../options.ts';

/** Serves `server/discover`: identity, capabilities and instructions of the server. */
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
