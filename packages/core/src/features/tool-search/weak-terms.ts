import { tokenize } from './tokenize.ts';

/** Words of a request that say little of what is requested. */
const requestWords = `able actually again already another anyone anything ask because before bit consider currently everyone everything few give going
  hello hey hi kind know look lot many much no not now ok okay possible really say see since someone something soon sorry sure tell thanks
  thing try way yes`;

/** Created by the first search. */
let expressions: ReturnType<typeof createExpressions> | undefined;

function createExpressions() {
  return {
    request: new Set(tokenize(requestWords)),
    number: /^\p{N}/u,
    /** An apostrophe within a word quotes nothing. */
    quoted: /"[^"]{1,200}"|“[^”]{1,200}”|‘[^’]{1,200}’|`[^`]{1,200}`|(?<!\w)'[^'\n]{1,200}'(?!\w)/g,
  };
}

/** Finds the terms of a query that are likely values of arguments, such as numbers and quoted texts, or phrases of any request. */
export function findWeakTerms(query: string, terms: readonly string[]): ReadonlySet<string> {
  expressions ??= createExpressions();
  const { request, number, quoted } = expressions;
  const unquoted = new Set(tokenize(query.replaceAll(quoted, ' ')));
  return new Set(terms.filter((term) => request.has(term) || number.test(term) || !unquoted.has(term)));
}
