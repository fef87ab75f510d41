import { tokenize } from './tokenize.ts';

/** Words of a request that say little of what is requested: politeness, time, people, and what any tool returns. */
const requestWords = `able actually advice afternoon again already another anyone anything ask assist assistance because before bit chatbot
  consider curious current currently data day detail enjoy evening everyone everything family few final first friend give going hello help
  hey hi hope hour info information interest interested kind kindly know last latest life list look lot love many minute month morning much
  new next night no not now ok okay people person personal possible really recent result say second see since someone something soon sorry
  stuff sure tell thanks thing time today tomorrow try trying type unfortunately upcoming urgently way week weekend wonder work world year
  yes yesterday`;

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
