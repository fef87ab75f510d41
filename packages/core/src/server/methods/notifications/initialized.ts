import type { Session } from '../../session.ts';
import type { Method } from '../method.ts';

/** Takes `notifications/initialized`: from now on the client hears of changes. */
export const initialized: Method = {
  run({ server, exchange }) {
    const session = exchange.session as Session;
    session.setInitialized();
    session.join(server.feed);
    return {};
  },
};
