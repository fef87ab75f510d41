/** Minimum pause between two reads of a resource. */
const pauseMs = 250;

/** Reads changing resources, one read at a time per resource: further changes coalesce into the next read. */
export class ResourceReader {
  readonly #read: (uri: string) => Promise<void>;
  /** Resources being read, and whether they changed since. */
  readonly #inProgress = new Map<string, 'unchanged' | 'changed'>();

  constructor(read: (uri: string) => Promise<void>) {
    this.#read = read;
  }

  read(uri: string): void {
    if (this.#inProgress.has(uri)) this.#inProgress.set(uri, 'changed');
    else void this.#readUntilUnchanged(uri);
  }

  async #readUntilUnchanged(uri: string): Promise<void> {
    do {
      this.#inProgress.set(uri, 'unchanged');
      await this.#read(uri);
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    } while (this.#inProgress.get(uri) === 'changed');
    this.#inProgress.delete(uri);
  }
}

/** Coalesces calls: while one run is in progress, any number of calls lead to one more run. */
export function coalesce(work: () => Promise<void>): () => void {
  let isWorking = false;
  let isRequested = false;
  const run = async (): Promise<void> => {
    isWorking = true;
    try {
      do {
        isRequested = false;
        await work();
      } while (isRequested);
    } finally {
      isWorking = false;
    }
  };
  return () => {
    isRequested = true;
    if (!isWorking) void run();
  };
}
