import { type UnknownOptionError, UsageError } from './usage-error.ts';

/** Suggests the name that was probably meant, as a question that ends a sentence; empty if none is close. */
export function didYouMean(name: string, names: readonly string[]): string {
  const meant = nearest(stripDashes(name), names.slice(0, 1000));
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Adds a suggestion to an unknown option. `names` are the options of the command, without dashes. */
export function explainUnknownOption({ option }: UnknownOptionError, names: readonly string[]): UsageError {
  // A group of letters such as -xvf is reported by its first.
  const typed = option.startsWith('--') ? option : option.slice(0, 2);
  const known = names.map((name) => `--${name}`);
  return new UsageError(`There is no option ${typed}.${stripDashes(typed).length > 1 ? didYouMean(typed, known) : ''}`);
}

/** Strips the dashes that all options have in common. */
function stripDashes(name: string): string {
  return name.toLowerCase().replace(/^--?/, '');
}

function nearest(name: string, names: readonly string[]): string | undefined {
  const longer = names.find((candidate) => name.length > 2 && stripDashes(candidate).startsWith(name));
  if (longer !== undefined) return longer;
  const allowed = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const ranked = names
    .filter((candidate) => Math.abs(stripDashes(candidate).length - name.length) <= allowed)
    .map((candidate) => ({ candidate, steps: distance(name, stripDashes(candidate)) }))
    .sort((one, other) => one.steps - other.steps);
  const [best] = ranked;
  return best !== undefined && best.steps <= allowed && best.steps < name.length ? best.candidate : undefined;
}

/** Damerau-Levenshtein distance: letters to insert, delete, replace or swap with their neighbour. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const steps = [valueAt(row, j - 1) + (same ? 0 : 1), valueAt(row, j) + 1, valueAt(next, j - 1) + 1];
      next.push(Math.min(...steps, swapped ? valueAt(before, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    before = row;
    row = next;
  }
  return valueAt(row, to.length);
}

function valueAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
