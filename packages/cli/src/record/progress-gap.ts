import type { OpenUpstream } from './upstream.ts';

/** Time between progress and what follows it, in milliseconds: widely used clients ignore progress that they read with its answer. */
const gapMs = 20;

/** Delays what would follow progress too closely. The order stays. */
export function keepProgressGap(open: OpenUpstream): OpenUpstream {
  return async ({ frame, closed }) => {
    const queue: string[] = [];
    let lastProgress = Number.NEGATIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    const flush = (isOver = false): void => {
      timer = undefined;
      for (let text = queue[0]; text !== undefined; text = queue[0]) {
        const isProgress = text.includes('"notifications/progress"');
        const wait = lastProgress + gapMs - performance.now();
        if (!isProgress && wait > 0 && !isOver) {
          timer = setTimeout(flush, Math.ceil(wait));
          return;
        }
        queue.shift();
        if (isProgress) lastProgress = performance.now();
        frame(text);
      }
    };
    const upstream = await open({
      frame(text) {
        queue.push(text);
        if (timer === undefined) flush();
      },
      closed(problem) {
        clearTimeout(timer);
        flush(true);
        closed(problem);
      },
    });
    return {
      send: upstream.send,
      async close() {
        await upstream.close();
        clearTimeout(timer);
        flush(true);
      },
    };
  };
}
