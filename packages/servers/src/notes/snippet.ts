import type { Alternative, Search } from './query.ts';
import { type Word, wordsOf } from './words.ts';

const before = 40;
const length = 200;
/** Where looking for matches ends: a snippet isn't worth more. */
const searched = 100_000;
const maxHits = 200;

interface Hit extends Word {
  /** Which of the words that are looked for it is. */
  wanted: number;
}

/** The part of a text that shows best why it was found, on one line, with the words that were found in `**`. */
export function snippet(text: string, search: Search): string {
  const hits = hitsIn(text.slice(0, searched), search);
  const best = bestHit(hits);
  const start = best === undefined ? 0 : atGap(text, Math.max(0, best.start - before));
  const end = Math.min(text.length, start + length);
  let shown = '';
  let place = start;
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    shown += `${text.slice(place, hit.start)}**${text.slice(hit.start, hit.end)}**`;
    place = hit.end;
  }
  shown += wholeCharacters(text.slice(place, end));
  return `${start > 0 ? '…' : ''}${shown.replace(/\s+/gu, ' ').trim()}${end < text.length ? '…' : ''}`;
}

/** The words that are looked for, or the query as a whole where not all of them are there. */
function hitsIn(text: string, { alternatives, substring }: Search): Hit[] {
  const { hits, complete } = wordHits(text, alternatives);
  if (complete || substring === undefined || substring === '') return hits;
  const wholes = substringHits(text, substring);
  return wholes.length > 0 ? wholes : hits;
}

function substringHits(text: string, substring: string): Hit[] {
  const pattern = new RegExp(substring.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
  const hits: Hit[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const shown = wholeCharacters(found.slice(0, length - before));
    hits.push({ start: index, end: index + shown.length, folded: substring, wanted: 0 });
    if (hits.length === maxHits) break;
  }
  return hits;
}

function wordHits(text: string, alternatives: readonly Alternative[]): { hits: Hit[]; complete: boolean } {
  const wanted = alternatives.flatMap((alternative) =>
    alternative.wanted.flatMap(({ words, open, forms }) =>
      words.map((word, index) => {
        const isLast = index === words.length - 1;
        return { word, open: open && isLast, forms: new Set(isLast ? forms : []) };
      }),
    ),
  );
  const hits: Hit[] = [];
  for (const word of wordsOf(text)) {
    const { folded } = word;
    const index = wanted.findIndex(
      ({ word: given, open, forms }) => (open ? folded.startsWith(given) : folded === given) || forms.has(folded),
    );
    if (index !== -1) hits.push({ ...word, wanted: index });
    if (hits.length === maxHits) break;
  }
  return { hits, complete: hits.length > 0 && new Set(hits.map(({ wanted: index }) => index)).size === wanted.length };
}

/** The first hit after which most of the different words follow. */
function bestHit(hits: readonly Hit[]): Hit | undefined {
  let best: Hit | undefined;
  let most = 0;
  hits.forEach((hit, index) => {
    const near = new Set<number>();
    for (let other = index; other < hits.length; other += 1) {
      const { start, wanted } = hits[other] as Hit;
      if (start > hit.start + length - before) break;
      near.add(wanted);
    }
    if (near.size > most) [best, most] = [hit, near.size];
  });
  return best;
}

/** The first beginning of a word from here on, if there is one near. */
function atGap(text: string, from: number): number {
  if (from === 0) return 0;
  const gap = text.slice(from, from + before).search(/\s/);
  if (gap !== -1) return from + gap + 1;
  return isLow(text.charCodeAt(from)) ? from + 1 : from;
}

function wholeCharacters(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
