/** A resource that changes all the time is read this seldom, at most. */
const pauseMs = 250;

/** Reads resources that change, one reading of each at a time: whatever changes meanwhile is in the next. */
export class Readings {
  readonly #read: (uri: string) => Promise<void>;
  /** Those that are being read, and whether they have changed since. */
  readonly #under = new Map<string, 'unchanged' | 'changed'>();

  constructor(read: (uri: string) => Promise<void>) {
    this.#read = read;
  }

  read(uri: string): void {
    if (this.#under.has(uri)) this.#under.set(uri, 'changed');
    else void this.#follow(uri);
  }

  async #follow(uri: string): Promise<void> {
    do {
      this.#under.set(uri, 'unchanged');
      await this.#read(uri);
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    } while (this.#under.get(uri) === 'changed');
    this.#under.delete(uri);
  }
}

/** Does something when it is wished for, and once more for all wishes that come while it is being done. */
export function coalesced(work: () => Promise<void>): () => void {
  let isWorking = false;
  let isWished = false;
  const run = async (): Promise<void> => {
    isWorking = true;
    try {
      do {
        isWished = false;
        await work();
      } while (isWished);
    } finally {
      isWorking = false;
    }
  };
  return () => {
    isWished = true;
    if (!isWorking) void run();
  };
}
