import { statelessVersions } from '../../../revisions/admit.ts';
import type { Method } from '../method.ts';

export const discover: Method = {
  run({ server }) {
    const { instructions } = server.options;
    return {
      supportedVersions: statelessVersions,
      capabilities: server.capabilities,
      ...(instructions !== undefined && { instructions }),
    };
  },
};
