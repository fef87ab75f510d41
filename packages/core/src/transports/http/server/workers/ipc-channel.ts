import type { Messages } from './messages.ts';

/** One end of the channel between a worker and the primary. */
export interface IpcChannel<Out, In> {
  /** Sends an item, batched with others of the same tick. */
  send(item: Out): void;
  /** Calls the listener for each item. */
  onMessage(listener: (item: In) => void): void;
}

/** The IPC of a process: a cluster worker, or the process itself in a worker. */
export interface ProcessChannel {
  send?(message: object, done: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Opens one end. The program's own messages on the channel are left alone. */
export function openIpcChannel<Out, In>(channel: ProcessChannel): IpcChannel<Out, In> {
  let waiting: Out[] = [];
  const flush = (): void => {
    const items: Messages<Out> = { ccmcp: waiting };
    waiting = [];
    // A closed channel is ignored.
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
