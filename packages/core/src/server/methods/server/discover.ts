import { statelessVersions } from '../../../revisions/history.ts';
import type { Method } from '../method.ts';

/** Serves `server/discover`: what the server is and offers. */
export const discover: Method = {
  run({ server, revision }) {
    const { instructions } = server.options;
    return {
      supportedVersions: statelessVersions,
      capabilities: server.capabilitiesIn(revision),
      ...(instructions !== undefined && { instructions }),
    };
  },
};
