import type { ListChanges } from '../../shared/lists.ts';

/** What happened to some entries of a list: a sign, a tone and a word for it, and their names. */
export interface ChangePart {
  readonly sign: string;
  readonly tone: string;
  readonly word: string;
  readonly names: readonly string[];
  /** How many there are, also where not all are named. */
  readonly count: number;
}

/** What changed, came and went in a list, as far as something did. */
export function changeParts({ added, removed, changed, more }: ListChanges): readonly ChangePart[] {
  const part = (sign: string, tone: string, word: string, names: readonly string[], others = 0): ChangePart => ({
    sign,
    tone,
    word,
    names,
    count: names.length + others,
  });
  return [
    part('+', 'ok', 'came', added, more?.added),
    part('−', 'bad', 'went', removed, more?.removed),
    part('≠', 'note', 'changed', changed, more?.changed),
  ].filter(({ count }) => count > 0);
}
