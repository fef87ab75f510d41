import { createToolIndex, type IndexedTool, type ToolHit } from '@ccmcp/core/tool-search';
import type { Listing, Rule } from './finding.ts';
import { firstSentence } from './words.ts';

/** Maximum number of searches: the more tools there are, the longer each takes. */
const maxSearches = 1000;
/** The second tool is close if its score is at least this share of the first one's. */
const closeShare = 0.8;

export const searchMisses: Rule = {
  id: 'search-misses',
  severity: 'warning',
  about: 'a search for what the description of a tool says finds another tool first',
  advice: 'Say in the first sentence what only this tool does, in the words in which it is asked for.',
  *check(listing) {
    for (const { tool, hits } of searchAll(listing)) {
      const [first] = hits;
      const own = hits.find((hit) => hit.tool === tool);
      if (first === undefined || first.tool === tool || isAsGood(own, first)) continue;
      const score = own === undefined ? 'not among the first 5' : own.score.toFixed(1);
      const message = `a search for its own description finds "${first.tool.name}" first (${first.score.toFixed(1)}, itself ${score})`;
      yield { tool: tool.name, path: 'description', message };
    }
  },
};

export const searchClose: Rule = {
  id: 'search-close',
  severity: 'hint',
  about: `a search for the description of a tool finds another one with ${closeShare * 100} % of its score or more`,
  advice: 'Say in both descriptions when to use which.',
  *check(listing) {
    const seen = new Set<string>();
    for (const { tool, hits } of searchAll(listing)) {
      const own = hits.find((hit) => hit.tool === tool);
      const other = hits.find((hit) => hit.tool !== tool);
      if (own === undefined || other === undefined || other.score < closeShare * own.score) continue;
      if (other.score > own.score && !isAsGood(own, other)) continue;
      const pair = JSON.stringify([tool.name, other.tool.name].sort());
      if (seen.has(pair)) continue;
      seen.add(pair);
      const scores = `${own.score.toFixed(1)} and ${other.score.toFixed(1)}`;
      yield {
        tool: tool.name,
        path: 'description',
        message: `a search hardly tells it from "${other.tool.name}" (${scores})`,
      };
    }
  },
};

interface OwnSearch {
  readonly tool: IndexedTool;
  readonly hits: readonly ToolHit[];
}

const searches = new WeakMap<Listing, readonly OwnSearch[]>();

/** Searches for the first sentence of each description, once for both rules. */
function searchAll(listing: Listing): readonly OwnSearch[] {
  const known = searches.get(listing);
  if (known !== undefined) return known;
  const index = createToolIndex(listing.tools);
  const found = listing.tools
    .filter(({ description = '' }) => description.trim() !== '')
    .slice(0, maxSearches)
    .map((tool) => ({ tool, hits: index.search(firstSentence(tool.description ?? '')) }));
  searches.set(listing, found);
  return found;
}

/** Compares scores with a tolerance for rounding. */
function isAsGood(own: ToolHit | undefined, other: ToolHit): boolean {
  return own !== undefined && own.score >= other.score * 0.999;
}
