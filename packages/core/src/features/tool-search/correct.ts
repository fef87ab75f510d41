/** Shorter words have too many neighbours to tell which was meant. */
const minLength = 5;

/** The known terms that differ from a term by one letter: missing, added, replaced, or swapped with the next. */
export function correct(term: string, known: Iterable<string>): string[] {
  if (term.length < minLength) return [];
  return Array.from(known).filter((other) => other[0] === term[0] && isOneEditApart(term, other));
}

function isOneEditApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short.length < minLength - 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
