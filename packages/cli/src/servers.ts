import type { Server } from '@ccmcp/core';
import type { ServeCommand } from './command-line.ts';

/** What the command knows of a ready-made server. */
export interface ReadyServer {
  /** Made when asked for: what one server needs must not slow the start of another. */
  make(command: ServeCommand, shutDown: () => void): Promise<Server>;
  /** Where and how it is served over HTTP unless the user says otherwise. */
  http: {
    port: number;
    keyHeader: string;
    /** Where the key stands that this server never goes without. */
    keyVariable?: string;
  };
}

/** The ready-made servers beside `ccmcp`, which is always at hand. */
export const laterServers = {
  moonphase: {
    async make({ logLevel, allowShutdown }, shutDown) {
      const { moonphaseServer } = await import('@ccmcp/servers/moonphase');
      return moonphaseServer({ logLevel, ...(allowShutdown && { allowShutdown: shutDown }) });
    },
    http: { port: 8181, keyHeader: 'X-Api-Token', keyVariable: 'MOONPHASE_API_KEY' },
  },
} satisfies Record<string, ReadyServer>;

export type ServerName = 'ccmcp' | keyof typeof laterServers;

export const serverNames: readonly ServerName[] = ['ccmcp', ...(Object.keys(laterServers) as 'moonphase'[])];
