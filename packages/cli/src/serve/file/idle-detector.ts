/** How long a file that was loaded may take to begin serving, in milliseconds: it may have to reach a database first. */
const patienceMs = 10_000;
/** The same for a file that listens for connections: it is hardly going to read stdin. */
const listeningPatienceMs = 2000;
const lookMs = 100;

/** Waits for a file that is not going to serve. */
export interface LookingForNothing {
  /** Never resolves; fails with the reason, once it is clear that nothing comes. */
  nothing: Promise<never>;
  stopLooking(): void;
}

/** Finds out that a file neither exports a server nor begins to serve by itself. `loading` is done when it has been loaded. */
export function lookForNothing(file: string, loading: Promise<unknown>): LookingForNothing {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => {};
  const nothing = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error(listens() ? listening(file) : noServer(file)));
  });
  // Whoever has got a server meanwhile does not wait for this any more.
  nothing.catch(() => {});
  process.once('beforeExit', giveUp);

  let waitedMs = 0;
  const look = (): void => {
    waitedMs += lookMs;
    if (waitedMs >= (listens() ? listeningPatienceMs : patienceMs)) giveUp();
  };
  let isLooking = true;
  const begin = (): void => {
    if (isLooking) timer = setInterval(look, lookMs).unref();
  };
  loading.then(begin, () => {});
  return {
    nothing,
    stopLooking() {
      isLooking = false;
      clearInterval(timer);
      process.off('beforeExit', giveUp);
    },
  };
}

function listens(): boolean {
  return process.getActiveResourcesInfo().includes('TCPServerWrap');
}

function noServer(file: string): string {
  return `${file} exports no server and serves none: write "export default createServer(…)", or "serveStdio(createServer(…))"`;
}

function listening(file: string): string {
  return (
    `${file} exports no server, and listens for connections by itself: start it with "node ${file}" and give its address ` +
    'instead, or write "export default createServer(…)"'
  );
}
