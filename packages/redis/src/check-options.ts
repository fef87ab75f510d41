/** The longest that a timer waits. */
const longestMs = 2 ** 31 - 1;
const largest = Number.MAX_SAFE_INTEGER;

const most = {
  timeoutMs: longestMs,
  maxLogLength: largest,
  maxRecordLength: largest,
  maxMemberLength: largest,
};

/** Refuses numbers that make no sense, by the names of their options: scripts in Redis would take them for something else. */
export function checkNumbers(options: Readonly<Partial<Record<keyof typeof most, unknown>>>): void {
  for (const name of Object.keys(most) as (keyof typeof most)[]) {
    const given = options[name];
    if (given === undefined || (Number.isInteger(given) && Number(given) > 0 && Number(given) <= most[name])) continue;
    const shown = typeof given === 'number' ? String(given) : `of the type ${given === null ? 'null' : typeof given}`;
    throw new TypeError(`${name} of redisStore must be a whole number from 1 to ${most[name]}, and is ${shown}`);
  }
}
