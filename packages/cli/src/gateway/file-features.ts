import type { ToolSearchOptions } from '@ccmcp/core/tool-search';
import { isRecord } from '../config/file/edit.ts';

/** What the top level of a gateway file switches on, for all its servers together. */
export interface GatewayFeatures {
  toolSearch?: Pick<ToolSearchOptions, 'above' | 'always' | 'limit'>;
}

/** A member of the top level: what is wrong with its value, and what it switches on. */
interface Feature {
  check(value: unknown): string | undefined;
  read(value: unknown): GatewayFeatures;
}

/** The members of the top level beside "mcpServers". */
export const fileFeatures: Readonly<Record<string, Feature>> = {
  toolSearch: {
    check(value) {
      if (typeof value === 'boolean') return undefined;
      if (!isRecord(value)) return 'must be true, false or an object such as { "above": 40, "always": ["status"] }';
      const stray = Object.keys(value).find((key) => !['above', 'always', 'limit'].includes(key));
      if (stray !== undefined) return `has "above", "always" and "limit", and no "${stray.slice(0, 100)}"`;
      const { above, always, limit } = value;
      if (above !== undefined && !isAbove(above))
        return 'needs a whole number in "above", or { "tools": 40, "tokens": 5000 }';
      const isTexts = Array.isArray(always) && always.every((name) => typeof name === 'string');
      if (always !== undefined && !isTexts) return 'needs a list of names in "always"';
      const isLimit = isWhole(limit) && limit >= 1 && limit <= 20;
      return limit === undefined || isLimit ? undefined : 'needs a whole number from 1 to 20 in "limit"';
    },
    read: (value) => (value === false ? {} : { toolSearch: value === true ? {} : (value as object) }),
  },
};

function isAbove(value: unknown): boolean {
  if (isWhole(value)) return true;
  if (!isRecord(value)) return false;
  const { tools, tokens, ...rest } = value;
  const given = [tools, tokens].filter((each) => each !== undefined);
  return given.length > 0 && given.every(isWhole) && Object.keys(rest).length === 0;
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
