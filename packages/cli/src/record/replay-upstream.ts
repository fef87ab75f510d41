import type { Replay } from '@ccmcp/core/recording';
import { messageUpstream, type OpenUpstream } from './upstream.ts';

/** An upstream that answers from a recording. */
export function replayUpstream(replay: Replay): OpenUpstream {
  return (events) =>
    messageUpstream(events, async (receive) => {
      const connection = replay.open(receive);
      return { send: (message) => connection.receive(message), close: async () => {} };
    });
}
