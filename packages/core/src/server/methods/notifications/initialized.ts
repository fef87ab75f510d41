import type { Session } from '../../session.ts';
import type { Method } from '../method.ts';

/** The client is ready: from now on it hears of changes. */
export const initialized: Method = {
  run({ server, exchange }) {
    const session = exchange.session as Session;
    session.initialized = true;
    session.join(server.feed);
    return {};
  },
};
