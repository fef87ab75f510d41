import type { Json } from '../form/json.ts';

const longest = 400;
/** So much of what both have in common is shown before the first difference. */
const lead = 60;

/** Two values as texts that are short enough to be shown, from a little before the place where they begin to differ. */
export function excerpts(before: Json | undefined, after: Json | undefined): readonly [before: string, after: string] {
  const [left, right] = [whole(before), whole(after)];
  if (Math.max(left.length, right.length) <= longest) return [left, right];
  let common = 0;
  while (common < left.length && common < right.length && left[common] === right[common]) common += 1;
  const start = before === undefined || after === undefined ? 0 : Math.max(0, common - lead);
  return [cut(left, start), cut(right, start)];
}

function whole(value: Json | undefined): string {
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

function cut(text: string, start: number): string {
  const end = start + longest;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}
