import type { ToolListing } from '../../protocol/listing.ts';
import { correct } from './correct.ts';
import { diversify, type Match } from './diversify.ts';
import { stem } from './stem.ts';
import { relatedTerms } from './synonyms.ts';
import { tokenize } from './tokenize.ts';
import { findWeakTerms } from './weak-terms.ts';

/** A tool as it is indexed: a row of `tools/list`, with the name of its server if it comes from one of several. */
export interface IndexedTool extends ToolListing {
  readonly server?: string;
}

/** A tool that a query found. */
export interface ToolHit<T extends IndexedTool = IndexedTool> {
  readonly tool: T;
  /** The higher, the better; comparable only within one search. */
  readonly score: number;
}

/** Finds tools by what they do. */
export interface ToolIndex<T extends IndexedTool = IndexedTool> {
  /** The tools that fit a query, the best first. */
  search(query: string, limit?: number): ToolHit<T>[];
  add(tool: T): void;
  /** Removes a tool that was added, if it is there. */
  remove(tool: T): void;
}

/** A text of a tool that is indexed: its weight, and how much its length counts (`b` of BM25). */
interface Field {
  readonly weight: number;
  readonly b: number;
  text(tool: IndexedTool): string;
}

const fields: readonly Field[] = [
  { weight: 2, b: 0.5, text: ({ name, title }) => `${name} ${title ?? ''}` },
  { weight: 1.5, b: 0.5, text: ({ server }) => server ?? '' },
  { weight: 1, b: 0.7, text: ({ description }) => description ?? '' },
  { weight: 0.5, b: 0.4, text: ({ inputSchema }) => Object.keys(propertiesOf(inputSchema)).join(' ') },
  { weight: 0.4, b: 0.2, text: ({ inputSchema }) => argumentDescriptions(inputSchema) },
];

/** Names, servers and descriptions are sentences, in which neighbours count; names of arguments are in no order. */
const sentenceFields = 3;

/** How soon more occurrences of a term stop counting (`k1` of BM25). */
const saturation = 2;
/** The weight of a synonym; it is less if many tools have the term itself. */
const synonymWeight = 0.65;
const commonSynonymWeight = 0.4;
const commonTerm = 10;
/** The weight of a word of the same topic, if few tools have the term itself. */
const topicWeight = 0.25;
/** The weight of a term that the query may have misspelled. */
const typoWeight = 0.7;
/** The weight of a term that says little of the tool. */
const weakWeight = 0.4;
/** The weight of two neighbours in the query that are neighbours in the tool too. */
const pairWeight = 0.3;
/** So many of the best tools are looked at more closely: for neighbours, and for what others lack. */
const bestEntries = 100;
/** How much it counts that a tool has many of the terms: the exponent of their share. */
const coverage = 0.1;
/** Shorter terms are seldom compounds. */
const minCompoundLength = 5;
/** Longer texts are truncated, so that the cost of a query is bounded. */
const maxQueryLength = 2000;
const maxQueryTerms = 64;
const maxTextLength = 20_000;

/** A tool of the index, and what a running search knows of it. */
interface Entry<T> {
  readonly tool: T;
  readonly terms: Iterable<string>;
  /** The terms of names, servers and descriptions, in order. */
  readonly sentences: readonly (readonly string[])[];
  /** How many terms each field has. */
  readonly lengths: readonly number[];
  /** The weight of a count in each field. Depends on the other tools. */
  factors: readonly number[];
  score: number;
  /** The terms of the query that it has. */
  matches: Match[];
  /** The score of the best variant of the current term. */
  best: number;
}

/** The occurrences of a term in one tool: a count for each field. */
interface Posting<T> {
  readonly entry: Entry<T>;
  readonly counts: readonly number[];
}

/**
 * Makes an index that finds tools by words (BM25F over name, server, title, description and arguments, and neighbouring words),
 * without a model.
 *
 * @example
 * const index = createToolIndex(tools);
 * index.search('resize a picture', 5);
 */
export function createToolIndex<T extends IndexedTool>(tools: readonly T[]): ToolIndex<T> {
  const index = new LexicalIndex<T>();
  for (const tool of tools) index.add(tool);
  return index;
}

class LexicalIndex<T extends IndexedTool> implements ToolIndex<T> {
  readonly #entries = new Map<T, Entry<T>>();
  readonly #postings = new Map<string, Posting<T>[]>();
  #areFactorsStale = false;

  add(tool: T): void {
    if (this.#entries.has(tool)) return;
    const byTerm = new Map<string, number[]>();
    const texts = fields.map(({ text }) => tokenize(text(tool).slice(0, maxTextLength)));
    for (const [field, terms] of texts.entries()) {
      for (const term of terms) {
        const counts = byTerm.get(term) ?? fields.map(() => 0);
        counts[field] = (counts[field] ?? 0) + 1;
        byTerm.set(term, counts);
      }
    }
    const entry: Entry<T> = {
      tool,
      terms: Array.from(byTerm.keys()),
      sentences: texts.slice(0, sentenceFields),
      lengths: texts.map(({ length }) => length),
      factors: [],
      score: 0,
      matches: [],
      best: 0,
    };
    for (const [term, counts] of byTerm) {
      const postings = this.#postings.get(term);
      if (postings === undefined) this.#postings.set(term, [{ entry, counts }]);
      else postings.push({ entry, counts });
    }
    this.#entries.set(tool, entry);
    this.#areFactorsStale = true;
  }

  remove(tool: T): void {
    const entry = this.#entries.get(tool);
    if (entry === undefined) return;
    for (const term of entry.terms) {
      const rest = this.#postings.get(term)?.filter((posting) => posting.entry !== entry) ?? [];
      if (rest.length > 0) this.#postings.set(term, rest);
      else this.#postings.delete(term);
    }
    this.#entries.delete(tool);
    this.#areFactorsStale = true;
  }

  search(query: string, limit = 5): ToolHit<T>[] {
    if (this.#areFactorsStale) this.#computeFactors();
    const text = replaceLiterals(query.slice(0, maxQueryLength));
    const words = tokenize(text);
    const terms = countTerms([...words, ...this.#compoundsOf(words)]);
    const weakTerms = findWeakTerms(text, words);
    const found: Entry<T>[] = [];
    for (const [index, [term, count]] of Array.from(terms).entries()) {
      const weight = Math.sqrt(count) * (weakTerms.has(term) ? weakWeight : 1);
      for (const entry of this.#scoreTerm(term)) {
        if (entry.matches.length === 0) found.push(entry);
        entry.matches.push({ term: index, score: weight * entry.best });
        entry.score += weight * entry.best;
        entry.best = 0;
      }
    }
    for (const entry of found) entry.score *= (entry.matches.length / terms.size) ** coverage;
    const best = found.sort((one, other) => other.score - one.score).slice(0, Math.max(limit, bestEntries));
    this.#scorePairs(best, words);
    const hits = diversify(best, terms.size).map(({ tool, score }) => ({ tool, score }));
    for (const entry of found) {
      entry.score = 0;
      entry.matches = [];
    }
    return hits.slice(0, limit);
  }

  /** The terms of the index that neighbours in the query make up: `screen shot` also finds `screenshot`. */
  #compoundsOf(words: readonly string[]): string[] {
    return words
      .slice(1, maxQueryTerms)
      .map((second, index) => stem(`${words[index]}${second}`))
      .filter((compound) => compound.length >= minCompoundLength && this.#postings.has(compound));
  }

  /** Adds to the scores of tools that have neighbours of the query as neighbours. */
  #scorePairs(entries: readonly Entry<T>[], words: readonly string[]): void {
    const pairs = new Map<string, Map<string, number>>();
    for (const [index, second] of words.slice(1, maxQueryTerms).entries()) {
      const first = words[index] as string;
      const weight = Math.min(this.#idf(first), this.#idf(second));
      if (first === second || weight === 0) continue;
      const seconds = pairs.get(first) ?? new Map<string, number>();
      pairs.set(first, seconds.set(second, weight));
    }
    if (pairs.size === 0) return;
    for (const entry of entries) {
      const scored = new Set<Map<string, number>>();
      for (const sentence of entry.sentences) {
        for (let index = 1; index < sentence.length; index++) {
          const seconds = pairs.get(sentence[index - 1] as string);
          const weight = seconds?.get(sentence[index] as string);
          if (seconds === undefined || weight === undefined || scored.has(seconds)) continue;
          scored.add(seconds);
          entry.score += pairWeight * weight;
        }
      }
    }
  }

  /** The tools that have a term or a variant of it, each with the score of the best one. */
  #scoreTerm(term: string): Entry<T>[] {
    const found: Entry<T>[] = [];
    for (const [variant, weight] of this.#variantsOf(term)) {
      for (const { entry, counts } of this.#postings.get(variant) ?? []) {
        let frequency = 0;
        for (let field = 0; field < counts.length; field++)
          frequency += (counts[field] ?? 0) * (entry.factors[field] ?? 0);
        const score = (weight * frequency) / (saturation + frequency);
        if (entry.best === 0) found.push(entry);
        if (score > entry.best) entry.best = score;
      }
    }
    return found;
  }

  /** A term, its synonyms and, if no tool has it, the terms it may be a typo of; each with the weight of a match. */
  #variantsOf(term: string): Map<string, number> {
    const variants = new Map<string, number>();
    const { synonyms, topics } = relatedTerms(term);
    const isKnown = this.#postings.has(term) || synonyms.size + topics.size > 0;
    const isCommon = (this.#postings.get(term)?.length ?? 0) > commonTerm;
    for (const spelling of isKnown ? [term] : correct(term, this.#postings.keys())) {
      const weight = this.#idf(spelling) * (spelling === term ? 1 : typoWeight);
      variants.set(spelling, weight);
      const add = (others: Iterable<string>, share: number): void => {
        for (const other of others) {
          if (variants.has(other)) continue;
          const rarity = this.#idf(other);
          variants.set(other, share * (weight > 0 ? Math.min(weight, rarity) : rarity));
        }
      };
      const related = relatedTerms(spelling);
      add(related.synonyms, isCommon ? commonSynonymWeight : synonymWeight);
      if (!isCommon) add(related.topics, topicWeight);
    }
    return variants;
  }

  /** How rare a term is; 0 if no tool has it. */
  #idf(term: string): number {
    const found = this.#postings.get(term)?.length ?? 0;
    return found === 0 ? 0 : Math.log(1 + (this.#entries.size - found + 0.5) / (found + 0.5));
  }

  /** Computes the factors of all tools, which depend on the mean length of each field. */
  #computeFactors(): void {
    const entries = Array.from(this.#entries.values());
    const means = fields.map(
      (_, field) => entries.reduce((sum, { lengths }) => sum + (lengths[field] ?? 0), 0) / entries.length,
    );
    for (const entry of entries) {
      entry.factors = fields.map(({ weight, b }, field) => {
        const relativeLength = (entry.lengths[field] ?? 0) / (means[field] || 1);
        return weight / (1 - b + b * relativeLength);
      });
    }
    this.#areFactorsStale = false;
  }
}

/** The terms of a query, and how often each occurs. */
function countTerms(words: readonly string[]): Map<string, number> {
  const terms = new Map<string, number>();
  for (const term of words) {
    const count = terms.get(term) ?? 0;
    if (count > 0 || terms.size < maxQueryTerms) terms.set(term, Math.min(count + 1, 2));
  }
  return terms;
}

/** Replaces URLs, addresses and file names in a query by the word for what they are: tools are not found by their letters. */
function replaceLiterals(query: string): string {
  return query
    .replaceAll(/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+/gi, ' url ')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, ' email ')
    .replaceAll(
      /(?<!\S)(?:~|\.{1,2}|[a-z]:)?[\\/][\w./\\-]+/gi,
      (path) => ` file ${/\.(\w{1,5})\.?$/.exec(path)?.[1] ?? ''} `,
    )
    .replaceAll(
      /(?<!\S)[\w-]+\.(csv|docx?|html?|jpe?g|json|md|pdf|png|pptx?|txt|xlsx?|xml|ya?ml|zip)\b/gi,
      ' file $1 ',
    );
}

function argumentDescriptions(schema: unknown): string {
  return Object.values(propertiesOf(schema))
    .map((property: { description?: unknown } | null) => property?.description)
    .filter((description) => typeof description === 'string')
    .join(' ');
}

function propertiesOf(schema: unknown): object {
  const properties = (schema as { properties?: unknown } | null | undefined)?.properties;
  return typeof properties === 'object' && properties !== null ? properties : {};
}
