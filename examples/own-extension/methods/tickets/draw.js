// The method `tickets/draw`: the path is the method's name.

/**
 * Draws a number. A caller who has to wait gets a ticket in place of a result, and asks again with its number.
 *
 * @param {{ waiting: Map<number, number>, last: number, turnMs: number }} queue
 * @returns {import('@ccmcp/core').ExtensionMethod}
 */
export function draw(queue) {
  return {
    serve({ params, notify }) {
      const { number } = params;
      const turn = typeof number === 'number' ? queue.waiting.get(number) : undefined;
      if (typeof number === 'number' && turn !== undefined && turn <= Date.now()) {
        queue.waiting.delete(number);
        notify('notifications/tickets/called', { number });
        return { number, desk: 1 };
      }
      const drawn = turn === undefined ? ++queue.last : Number(number);
      const until = turn ?? Date.now() + queue.turnMs;
      queue.waiting.set(drawn, until);
      // `resultType` says that this is not the final result: `resultTypes` of the extension continues.
      return { resultType: 'ticket', number: drawn, waitMs: Math.max(0, until - Date.now()) };
    },
  };
}
