/** A term of the query that a tool has, and what it adds to the score of the tool. */
export interface Match {
  readonly term: number;
  readonly score: number;
}

interface Scored {
  score: number;
  readonly matches: readonly Match[];
}

/** A query with more terms is likely to ask for several things. */
const longQuery = 10;
/** The share of its score that a tool loses if better ones have all its terms: so much for each term beyond that, and the most. */
const lossPerTerm = 0.02;
const maxLoss = 0.4;
/** So many tools are chosen one by one; the scores of the others depend on these. */
const maxChosen = 20;

/** Sorts tools by score. If the query is long, a tool whose terms better ones have already loses some of it: each part of the query finds its tool. */
export function diversify<T extends Scored>(entries: readonly T[], terms: number): T[] {
  const rest = entries.toSorted(byScore);
  const loss = Math.min(maxLoss, lossPerTerm * (terms - longQuery));
  if (loss <= 0) return rest;
  const best = new Float64Array(terms);
  for (const { matches } of rest) for (const { term, score } of matches) best[term] = Math.max(best[term] ?? 0, score);
  /** How much of the best score of each term the chosen tools have. */
  const covered = new Float64Array(terms);
  const loweredScore = ({ score, matches }: T): number => {
    let sum = 0;
    let known = 0;
    for (const match of matches) {
      sum += match.score;
      known += match.score * (covered[match.term] ?? 0);
    }
    return score * (1 - (loss * known) / sum);
  };
  const chosen: T[] = [];
  while (chosen.length < maxChosen && rest.length > 0) {
    const scores = rest.map(loweredScore);
    const score = scores.reduce((highest, other) => Math.max(highest, other), 0);
    const [next] = rest.splice(scores.indexOf(score), 1) as [T];
    chosen.push(Object.assign(next, { score }));
    for (const match of next.matches) {
      covered[match.term] = Math.max(covered[match.term] ?? 0, match.score / (best[match.term] ?? 1));
    }
  }
  for (const entry of rest) entry.score = loweredScore(entry);
  return [...chosen, ...rest.sort(byScore)];
}

function byScore(one: { readonly score: number }, other: { readonly score: number }): number {
  return other.score - one.score;
}
