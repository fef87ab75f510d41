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
