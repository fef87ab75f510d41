// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
/**
 * What all clients do: as the benchmark tells them by messages, connect to a server, and call its `echo` so many times with
 * so many calls under way. `connect(transport, target, era)` gives `{ call(message), close() }`; `target` is an address, or
 * the file of a server on stdio. Each answer is checked and let go, as a program does.
 */
export function serveTurns(connect) {
  const [, , transport, target, era] = process.argv;
  const open = () => connect(transport, target, era);
  const kept = [];
  let client;
  let lastId = 10_000_000;

  async function ask({ calls, inFlight }) {
    client ??= await open();
    const first = lastId + 1;
    const end = first + calls;
    lastId += calls;
    let next = first;
    const worker = async () => {
      while (next < end) {
        const text = `hello ${next++}`;
        check(await client.call(text), text);
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: inFlight }, worker));
    return { seconds: (performance.now() - started) / 1000 };
  }

  /** Connects and makes a first call. */
  async function connectAnew() {
    const started = performance.now();
    const fresh = await open();
    const result = await fresh.call('hello');
    const ms = performance.now() - started;
    check(result, 'hello');
    await fresh.close();
    return { ms };
  }

  /** Keeps more connections open, and reports the memory in use. */
  async function keep({ connections }) {
    while (kept.length < connections) {
      const fresh = await open();
      check(await fresh.call('hello'), 'hello');
      kept.push(fresh);
    }
    globalThis.gc?.();
    globalThis.gc?.();
    return { heapKb: process.memoryUsage().heapUsed / 1024 };
  }

  const does = { ask, connect: connectAnew, keep };
  const answer = async ({ what, ...given }) => {
    try {
      process.send(await does[what](given));
    } catch (error) {
      process.send({ error: String(error?.stack ?? error) });
    }
  };
  process.on('message', (message) => void answer(message));
  process.once('disconnect', () => process.exit());
}

function check({ content, isError }, expected) {
  const [first] = content;
  if (isError === true || first.type !== 'text' || first.text !== expected) throw new Error('Wrong text in the result');
}
