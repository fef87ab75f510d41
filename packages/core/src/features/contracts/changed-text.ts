/** The characters of context before and after what changed. */
const context = 40;
/** The maximum characters of what changed. */
const most = 400;

/** The parts of two texts that differ, with some context. */
export function changedParts(before: string, after: string): { before: string; after: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { before: part(before, start, before.length - end), after: part(after, start, after.length - end) };
}

/** The text from `start` to `end`, with context, shortened in its middle. */
function part(text: string, start: number, end: number): string {
  const from = start <= context ? 0 : start - context;
  const to = text.length - end <= context ? text.length : end + context;
  const shown = text.slice(from, to);
  const middle =
    shown.length <= most + 2 * context
      ? shown
      : `${shown.slice(0, most / 2 + context)} … ${shown.slice(-(most / 2 + context))}`;
  return `${from > 0 ? '…' : ''}${middle}${to < text.length ? '…' : ''}`;
}
