import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

/**
 * Gives a function that closes the connection which was being handed to a worker, for when that has ended. Node keeps it open
 * in the first process until the worker has said that it took it: its client would wait for ever.
 */
export function followHandOver({ process: child }: Worker): () => void {
  let last: Handle | undefined;
  const send = child.send.bind(child) as (...given: unknown[]) => boolean;
  child.send = (...given: unknown[]) => {
    const [message, handle] = given as [{ act?: string } | undefined, Handle | undefined];
    // One at a time. To close one that was taken does nothing: it is closed here already.
    if (message?.act === 'newconn') last = handle;
    return send(...given);
  };
  return () => last?.close();
}
