/** How long a file that was loaded may take to begin serving, in milliseconds: it may have to reach a database first. */
const idleTimeoutMs = 10_000;
/** The same for a file that listens for connections: it is hardly going to read stdin. */
const listeningTimeoutMs = 2000;
const pollMs = 100;

/** Waits for a file that is not going to serve. */
export interface IdleDetector {
  /** Never resolves; fails with the reason, once it is clear that nothing comes. */
  nothing: Promise<never>;
  stopLooking(): void;
}

/** Finds out that a file neither exports a server nor begins to serve by itself. `loading` is done when it has been loaded. */
export function detectIdle(file: string, loading: Promise<unknown>): IdleDetector {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => {};
  const nothing = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error(listens() ? listensMessage(file) : noServerMessage(file)));
  });
  // Whoever has got a server meanwhile does not wait for this any more.
  nothing.catch(() => {});
  process.once('beforeExit', giveUp);

  let waitedMs = 0;
  const look = (): void => {
    waitedMs += pollMs;
    if (waitedMs >= (listens() ? listeningTimeoutMs : idleTimeoutMs)) giveUp();
  };
  let isLooking = true;
  const begin = (): void => {
    if (isLooking) timer = setInterval(look, pollMs).unref();
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

function noServerMessage(file: string): string {
  return `${file} exports no server and serves none: write "export default createServer(…)", or "serveStdio(createServer(…))"`;
}

function listensMessage(file: string): string {
  return (
    `${file} exports no server, and listens for connections by itself: start it with "node ${file}" and give its address ` +
    'instead, or write "export default createServer(…)"'
  );
}
