import type { Implementation } from '../../protocol/identity.ts';
import { matchesClient } from '../client-match.ts';

/** Clients that search the tools of their servers themselves: a list that is cut for them would only hide tools. */
const clients: readonly { readonly name: string; readonly source: string }[] = [
  { name: 'claude-code', source: 'https://code.claude.com/docs/en/mcp#scale-with-mcp-tool-search' },
  { name: 'codex-mcp-client', source: 'https://developers.openai.com/codex/changelog (0.142.2)' },
  { name: 'cursor-vscode', source: 'https://cursor.com/blog/dynamic-context-discovery' },
  { name: 'visual studio code', source: 'https://code.visualstudio.com/blogs/2026/04/24/solving-mcp-tool-overload' },
];

/** True for a client that searches tools itself, by what it says of itself. */
export function searchesNatively(clientInfo: Partial<Implementation> | undefined): boolean {
  return clients.some((client) => matchesClient(clientInfo, client));
}
