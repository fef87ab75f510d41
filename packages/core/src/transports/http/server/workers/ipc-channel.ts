import type { Messages } from './messages.ts';

/** One end of a line between a worker and the primary. */
export interface IpcChannel<Out, In> {
  /** Sends one thing, together with whatever else is sent in this turn of the event loop. */
  send(item: Out): void;
  /** Calls back for each thing that comes. */
  onMessage(listener: (item: In) => void): void;
}

/** What a process has to talk to another one: a worker of a cluster, or the process itself where it is one. */
export interface ProcessChannel {
  send?(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Opens one end. What the program itself sends over the channel is left alone. */
export function openIpcChannel<Out, In>(channel: ProcessChannel): IpcChannel<Out, In> {
  let waiting: Out[] = [];
  const flush = (): void => {
    const items: Messages<Out> = { ccmcp: waiting };
    waiting = [];
    // Who is gone needs to hear nothing.
    channel.send?.(items, () => {});
  };
  return {
    send(item) {
      if (waiting.push(item) === 1) setImmediate(flush);
    },
    onMessage(listener) {
      channel.on('message', (message) => {
        const { ccmcp: items } = (message ?? {}) as Partial<Messages<In>>;
        if (Array.isArray(items)) for (const item of items) listener(item);
      });
    },
  };
}
