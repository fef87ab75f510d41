import type { Implementation } from '../../protocol/identity.ts';
import { type ClientMatch, matchesClient } from '../client-match.ts';

/** What is done for a client with a quirk. */
export interface QuirkFix {
  /** Names of tools have these characters only, a class of a regular expression; others become `_`. */
  readonly nameCharacters?: string;
  /** The most characters that names of tools have. */
  readonly nameLength?: number;
  /** What is changed in schemas. */
  readonly schema?:
    | 'flatten-top'
    | 'drop-recursive-output'
    | 'drop-old-dialect'
    | 'inline-references'
    | 'drop-unsupported';
  /** `text`: structured results are given as text too. `one`: a result has content or structured content, not both. */
  readonly results?: 'text' | 'one';
  /** What the client does not read: it is offered as tools. */
  readonly missing?: readonly ('resources' | 'prompts')[];
  /** The most text of a result that reaches the model, in bytes. `resultBudget` gives no more. */
  readonly resultBytes?: number;
}

/** A known quirk of a client. */
export interface ClientQuirk extends QuirkFix {
  /** By which `except` of `adaptToClient` leaves it out. */
  readonly id: string;
  readonly client: ClientMatch;
  /** What the client does. */
  readonly summary: string;
  /** The URL of an issue or a page that tells of it. */
  readonly source: string;
}

const portableNames = 'A-Za-z0-9_-';

/** The quirks that are known, each from a public source. */
export const clientQuirks: readonly ClientQuirk[] = [
  {
    id: 'claude-desktop-names',
    client: { name: 'claude-ai' },
    summary: 'rejects names of tools with a dot, or of more than 64 characters',
    source: 'https://github.com/loomle/loomle/issues/168',
    nameCharacters: portableNames,
    nameLength: 64,
  },
  {
    id: 'claude-desktop-dialect',
    client: { name: 'claude-ai' },
    summary: 'rejects tools whose schema declares another dialect than 2020-12',
    source: 'https://github.com/ankimcp/anki-mcp-server-addon/issues/75',
    schema: 'drop-old-dialect',
  },
  {
    id: 'claude-desktop-references',
    client: { name: 'claude-ai' },
    summary: 'gives schemas to the model without $defs, so that each $ref leads nowhere',
    source: 'https://github.com/PrefectHQ/fastmcp/pull/2861',
    schema: 'inline-references',
  },
  {
    id: 'claude-code-recursive-output',
    client: { name: 'claude-code' },
    summary: 'drops all tools if the output schema of one has a recursive $ref',
    source: 'https://github.com/anthropics/claude-code/issues/77106',
    schema: 'drop-recursive-output',
  },
  {
    id: 'claude-code-top-level',
    client: { name: 'claude-code' },
    summary: 'fails every request while an input schema has oneOf, anyOf or allOf at the top',
    source: 'https://github.com/anthropics/claude-code/issues/45106',
    schema: 'flatten-top',
  },
  {
    id: 'claude-code-results',
    client: { name: 'claude-code' },
    summary: 'hides the content of a result that has structured content too',
    source: 'https://github.com/anthropics/claude-code/issues/79944',
    results: 'one',
  },
  {
    id: 'claude-code-result-size',
    client: { name: 'claude-code' },
    summary: 'gives the model a preview of 2 KB in place of a result of more than 50,000 characters',
    source: 'https://code.claude.com/docs/en/mcp#mcp-output-limits-and-warnings',
    resultBytes: 50_000,
  },
  {
    id: 'codex-names',
    client: { name: 'codex-mcp-client' },
    summary: 'fails every request while a tool has a dot in its name',
    source: 'https://github.com/openai/codex/issues/8174',
    nameCharacters: portableNames,
  },
  {
    id: 'codex-results',
    client: { name: 'codex-mcp-client' },
    summary: 'hides the content of a result that has structured content too',
    source: 'https://github.com/openai/codex/issues/38287',
    results: 'one',
  },
  {
    id: 'codex-prompts',
    client: { name: 'codex-mcp-client' },
    summary: 'has no prompts',
    source: 'https://github.com/openai/codex/issues/8342',
    missing: ['prompts'],
  },
  {
    id: 'codex-result-size',
    client: { name: 'codex-mcp-client' },
    summary: 'leaves out the middle of a result of more than 10,000 bytes',
    source: 'https://github.com/openai/codex/issues/7906',
    resultBytes: 10_000,
  },
  {
    id: 'copilot-cli-names',
    client: { name: 'github-copilot-developer' },
    summary: 'fails every request while a tool has a dot in its name',
    source: 'https://github.com/github/copilot-cli/issues/2581',
    nameCharacters: portableNames,
  },
  {
    id: 'copilot-cli-tools-only',
    client: { name: 'github-copilot-developer' },
    summary: 'has tools only: no resources, no prompts',
    source: 'https://github.com/github/copilot-cli/issues/1518',
    missing: ['resources', 'prompts'],
  },
  {
    id: 'cursor-name-characters',
    client: { name: 'cursor-vscode' },
    summary: 'leaves out tools with a dot in their name',
    source: 'https://github.com/webstudio-is/webstudio/issues/5960',
    nameCharacters: portableNames,
  },
  {
    id: 'cursor-name-length',
    client: { name: 'cursor-vscode' },
    summary: 'leaves out tools whose name and the name of the server, as configured, have more than 60 characters',
    source: 'https://github.com/ComposioHQ/composio/issues/2788',
    // Leaves room for the server's name.
    nameLength: 45,
  },
  {
    id: 'gemini-cli-schemas',
    client: { name: 'gemini-cli-mcp-client' },
    summary: 'fails every request while a schema has $schema, propertyNames or a schema in additionalProperties',
    source: 'https://github.com/asbis/shapeitup/releases/tag/v1.6.2',
    schema: 'drop-unsupported',
  },
  {
    id: 'opencode-results',
    client: { name: 'opencode' },
    summary: 'gives the model the text of a result only, without its structured content',
    source: 'https://github.com/anomalyco/opencode/issues/38923',
    results: 'text',
  },
  {
    id: 'vscode-references',
    client: { name: 'visual studio code' },
    summary: 'gives schemas to the model without $defs, so that each $ref leads nowhere',
    source: 'https://github.com/PrefectHQ/fastmcp/pull/2861',
    schema: 'inline-references',
  },
  {
    id: 'zed-resources',
    client: { name: 'zed' },
    summary: 'has tools and prompts, but no resources',
    source: 'https://zed.dev/docs/ai/mcp#supported-features',
    missing: ['resources'],
  },
];

/** The quirks of a client, by what it says of itself in `clientInfo`. */
export function quirksOf(client: Partial<Implementation> | undefined): ClientQuirk[] {
  return clientQuirks.filter((quirk) => matchesClient(client, quirk.client));
}

/** The most bytes of a result that reach the model of this client, where that is known. */
export function resultBytesOf(client: Partial<Implementation> | undefined): number {
  return leastOf(quirksOf(client));
}

/** The least of that among all clients. */
export const leastResultBytes = leastOf(clientQuirks);

function leastOf(quirks: readonly QuirkFix[]): number {
  return Math.min(...quirks.map(({ resultBytes = Number.POSITIVE_INFINITY }) => resultBytes));
}
