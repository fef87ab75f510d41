import type { Session } from '../../session.ts';
import type { Method } from '../../call/call.ts';

/** Takes `notifications/initialized`: from now on the client is notified of changes. */
export const initialized: Method = {
  run({ server, peer }) {
    const session = peer.session as Session;
    session.setInitialized();
    session.join(server.feed);
    return {};
  },
};
