/** How long a loaded file may take to begin serving: it may have to connect to a database first. */
const idleTimeoutMs = 10_000;
/** The timeout for a file that listens on a port: it will hardly read stdin. */
const listeningTimeoutMs = 2000;
const pollMs = 100;

/** Detects a file that never serves. */
export interface IdleDetector {
  /** Rejects with the reason once the file is known to be idle; never resolves. */
  nothing: Promise<never>;
  stopLooking(): void;
}

/** Detects that a file neither exports a server nor serves by itself. `loading` settles when it is loaded. */
export function detectIdle(file: string, loading: Promise<unknown>): IdleDetector {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => {};
  const nothing = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error(listens() ? listensMessage(file) : noServerMessage(file)));
  });
  // The rejection is irrelevant once there is a server.
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
