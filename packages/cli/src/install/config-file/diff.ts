const context = 3;

interface Line {
  sign: ' ' | '-' | '+';
  text: string;
}

/** The lines in which two texts differ, with a few around them. */
export function diff(path: string, before: string, after: string): string {
  const lines = compare(split(before), split(after));
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' '),
  );
  const body = lines.flatMap(({ sign, text }, index) => {
    if (shown[index] !== true) return [];
    return shown[index - 1] === false ? ['@@', sign + text] : [sign + text];
  });
  return [`--- ${path}`, `+++ ${path}`, ...body, ''].join('\n');
}

function split(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...same(before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** Longest common subsequence; the input is short. */
function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const common: number[][] = before.map(() => []);
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = common[i] as number[];
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, young] = [before[i], after[j]];
    if (old !== undefined && old === young) {
      lines.push({ sign: ' ', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (young === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: '-', text: old });
      i += 1;
    } else {
      lines.push({ sign: '+', text: young as string });
      j += 1;
    }
  }
  return lines;
}

function same(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ sign: ' ', text }));
}
