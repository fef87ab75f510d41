import { setTimeout as delay } from 'node:timers/promises';
import { connectionOptions } from './connect.ts';

export interface HearOptions {
  url: string;
  channel: string;
  told(payload: string): void;
  /** Called after a connection was lost and is there again: something may have been missed. */
  again(): void;
}

const retryMs = 500;

/** Hears what is told on a channel, over a connection of its own that is made again when it is lost. */
export async function hear(options: HearOptions): Promise<{ stop(): Promise<void> }> {
  const { default: pg } = await import('pg');
  const { url, channel, told, again } = options;
  let stopped = false;
  let client = await connect();

  async function connect(): Promise<InstanceType<typeof pg.Client>> {
    const made = new pg.Client(connectionOptions(url));
    made.on('error', () => {});
    made.on('notification', ({ payload }) => told(payload ?? ''));
    try {
      await made.connect();
      await made.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await made.end().catch(() => {});
      throw error;
    }
    made.once('end', () => void reconnect());
    return made;
  }

  async function reconnect(): Promise<void> {
    for (;;) {
      if (stopped) return;
      try {
        client = await connect();
        break;
      } catch {
        await delay(retryMs, undefined, { ref: false });
      }
    }
    if (stopped) await client.end();
    else again();
  }

  return {
    stop: async () => {
      stopped = true;
      await client.end();
    },
  };
}
