import { toolTokens } from '@ccmcp/core/client';
import type { Rule } from './finding.ts';

const maxTool = 1000;
const maxList = 10_000;

export const toolSize: Rule = {
  id: 'tool-size',
  severity: 'warning',
  about: `a tool costs more than ${maxTool} tokens by estimate`,
  advice: 'Shorten its descriptions; "ccmcp tokens" shows what costs how much.',
  *check({ tools }) {
    for (const tool of tools) {
      const tokens = toolTokens(tool);
      if (tokens > maxTool) yield { tool: tool.name, message: `it costs about ${tokens} tokens` };
    }
  },
};

export const listSize: Rule = {
  id: 'list-size',
  severity: 'warning',
  about: `all tools together cost more than ${maxList} tokens by estimate`,
  advice: 'Offer fewer tools, or use toolSearch, which lists a few and finds the others.',
  *check({ tools }) {
    const tokens = tools.reduce((sum, tool) => sum + toolTokens(tool), 0);
    if (tokens > maxList) yield { message: `the ${tools.length} tools cost about ${tokens} tokens` };
  },
};
