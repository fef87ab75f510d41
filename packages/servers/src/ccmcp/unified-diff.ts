/** How many lines around a change are shown. */
const context = 3;
/** Texts with more lines that differ are shown as one change: looking for what they share would take long. */
const maxDistance = 1000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The difference of two texts as a unified diff, by lines; empty where there is none. */
export function unifiedDiff(before: string, after: string, label: string): string {
  if (before === after) return '';
  const lines = compare(linesOf(before), linesOf(after));
  return `--- ${label}\n+++ ${label}\n${hunksIn(lines).join('')}`;
}

/** The lines of a text, each with its end; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let rest = 0;
  const most = Math.min(before.length, after.length) - start;
  while (rest < most && before.at(-1 - rest) === after.at(-1 - rest)) rest++;
  const old = before.slice(start, before.length - rest);
  const now = after.slice(start, after.length - rest);
  return [
    ...marked(' ', before.slice(0, start)),
    ...(shortestEdit(old, now) ?? [...marked('-', old), ...marked('+', now)]),
    ...marked(' ', before.slice(before.length - rest)),
  ];
}

function marked(mark: Line['mark'], texts: readonly string[]): Line[] {
  return texts.map((text) => ({ mark, text }));
}

/**
 * How far one gets in the old text with a number of lines taken out or put in, on each diagonal that can be reached so: the
 * place in the old text less that in the new one, which is every other number from minus to plus the number of steps.
 */
type Round = Int32Array;

/** The fewest lines to take out and put in (Myers, "An O(ND) Difference Algorithm"); undefined where they are too many. */
function shortestEdit(before: readonly string[], after: readonly string[]): Line[] | undefined {
  const rounds: Round[] = [];
  for (let steps = 0; steps <= Math.min(maxDistance, before.length + after.length); steps++) {
    const round = new Int32Array(steps + 1);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      let { x } = enter(rounds, steps, diagonal);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      round[(diagonal + steps) / 2] = x;
      if (x >= before.length && x - diagonal >= after.length) return wayBack(before, after, rounds);
    }
    rounds.push(round);
  }
  return undefined;
}

/** Where a diagonal is entered: by a line that is put in, from the one above, or by one that is taken out. */
function enter(rounds: readonly Round[], steps: number, diagonal: number): { x: number; mark: '-' | '+' } {
  const last = rounds[steps - 1];
  if (last === undefined) return { x: 0, mark: '+' };
  const above = last[(diagonal + steps) / 2] ?? -1;
  const below = last[(diagonal + steps) / 2 - 1] ?? -1;
  return below < above ? { x: above, mark: '+' } : { x: below + 1, mark: '-' };
}

function wayBack(before: readonly string[], after: readonly string[], rounds: readonly Round[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let steps = rounds.length; steps >= 0; steps--) {
    const entered = enter(rounds, steps, x - y);
    for (; x > entered.x; x--, y--) lines.push({ mark: ' ', text: before[x - 1] as string });
    if (steps === 0) break;
    if (entered.mark === '+') lines.push({ mark: '+', text: after[--y] as string });
    else lines.push({ mark: '-', text: before[--x] as string });
  }
  return lines.toReversed();
}

/** The changes with the lines around them; those that touch are one. */
function hunksIn(lines: readonly Line[]): string[] {
  const shown: string[] = [];
  const passed = { '-': 0, '+': 0 };
  let at = 0;
  const pass = (to: number): Line[] => {
    const some = lines.slice(at, to);
    for (const { mark } of some) {
      if (mark !== '+') passed['-']++;
      if (mark !== '-') passed['+']++;
    }
    at = to;
    return some;
  };
  for (const [from, to] of placesOfChange(lines)) {
    pass(from);
    const before = { ...passed };
    const inside = pass(to);
    const side = (mark: '-' | '+'): string => {
      const count = passed[mark] - before[mark];
      return `${mark}${before[mark] + (count === 0 ? 0 : 1)}${count === 1 ? '' : `,${count}`}`;
    };
    shown.push(`@@ ${side('-')} ${side('+')} @@\n${inside.map(written).join('')}`);
  }
  return shown;
}

function placesOfChange(lines: readonly Line[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const [from, to] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)];
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function written({ mark, text }: Line): string {
  return text.endsWith('\n') ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`;
}
