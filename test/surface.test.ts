import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as core from '@ccmcp/core';
import * as stdio from '@ccmcp/core/stdio';
import { describe, expect, it } from 'vitest';
import { publicNames, root, source } from './support/imports.ts';

/** What can be imported from `@ccmcp/core`. A name more is a promise, a name less breaks somebody's program. */
const coreValues = [
  'ErrorCode',
  'ProtocolError',
  'ToolError',
  'audio',
  'compose',
  'createServer',
  'embeddedResource',
  'image',
  'limits',
  'logLevels',
  'prompt',
  'resource',
  'resourceLink',
  'stderrLogger',
  'template',
  'text',
  'tool',
];

const coreTypes = [
  'Ability',
  'Annotations',
  'AudioContent',
  'Auth',
  'CacheHints',
  'Call',
  'CallToolResult',
  'ClientCapabilities',
  'Completer',
  'CompletionContext',
  'CompletionValues',
  'ComposeOptions',
  'ContentBlock',
  'Context',
  'Elicited',
  'EmbeddedResource',
  'Exchange',
  'GetPromptResult',
  'Icon',
  'ImageContent',
  'Implementation',
  'JsonSchema',
  'Limit',
  'LogEntry',
  'LogLevel',
  'Logger',
  'Middleware',
  'Next',
  'Outcome',
  'Part',
  'Prompt',
  'PromptArgument',
  'PromptMessage',
  'PromptValue',
  'Question',
  'Resource',
  'ResourceContents',
  'ResourceLink',
  'ResourceListing',
  'ResourcePage',
  'ResourceValue',
  'Result',
  'Root',
  'SampleQuestion',
  'SampleResult',
  'SamplingContent',
  'SamplingMessage',
  'Schema',
  'Server',
  'ServerCapabilities',
  'ServerOptions',
  'StandardSchema',
  'Template',
  'TextContent',
  'Tool',
  'ToolAnnotations',
  'ToolResult',
  'ToolValue',
];

/** The names that an entry re-exports, types included. */
function exportedNames(publicName: string): string[] {
  const path = publicNames().get(publicName) as string;
  const { imports } = source(path, readFileSync(join(root, path), 'utf8'));
  return imports.flatMap(({ names }) => listed(names));
}

/** The names in `{ type A, b }`. */
function listed(names: string): string[] {
  const each = names.replace(/[{}]/g, '').split(',');
  return each.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
}

/** True where a comment stands above what is exported by this name. */
function hasSentence(text: string, name: string): boolean {
  const kinds = 'interface|type|class|const|function|async function';
  return new RegExp(`\\*/\\nexport (?:${kinds}) ${name}\\b`).test(text);
}

const stdioTypes = ['StdioConnection', 'StdioOptions'];

const http = [
  'ApiKeyOptions',
  'Auth',
  'AuthRefusal',
  'Authenticator',
  'CredentialsRequest',
  'Fields',
  'HttpHandler',
  'HttpOptions',
  'HttpService',
  'Life',
  'LogBounds',
  'MemberChanges',
  'MemoryStoreOptions',
  'ServeHttpOptions',
  'Store',
  'StoredEntry',
  'apiKey',
  'httpHandler',
  'memoryStore',
  'serveHttp',
];

const client = [
  'AnswerOptions',
  'Asking',
  'AuthError',
  'AuthorizedRequest',
  'Change',
  'Client',
  'ClientCredentialsOptions',
  'ClientExtension',
  'ClientNotification',
  'Completion',
  'CompletionQuestion',
  'ConnectOptions',
  'ConnectionError',
  'EnterpriseOptions',
  'Filter',
  'FollowedRequest',
  'FormAnswer',
  'FormQuestion',
  'HttpAuth',
  'HttpClientOptions',
  'HttpError',
  'ListenOptions',
  'Listing',
  'LogMessage',
  'Message',
  'MethodFacts',
  'MethodRows',
  'MethodTable',
  'OAuthOptions',
  'Params',
  'Progress',
  'Receiver',
  'RefusedRequest',
  'RequestOptions',
  'ResultError',
  'ResultType',
  'SampleAnswer',
  'Sender',
  'Serving',
  'SpawnOptions',
  'StoredGrant',
  'Subscription',
  'TimeoutError',
  'TokenKey',
  'TokenStore',
  'Transport',
  'UrlAnswer',
  'UrlQuestion',
  'clientCredentials',
  'connect',
  'enterpriseManaged',
  'httpTransport',
  'loopbackAuthorize',
  'memoryTokenStore',
  'memoryTransport',
  'oauth',
  'recorded',
  'spawn',
  'sseTransport',
  'workloadIdentity',
];

const testing = [
  'Line',
  'OpenStore',
  'Sender',
  'StoreCase',
  'TestClient',
  'TestClientOptions',
  'TestFailure',
  'Transcript',
  'expectRefusal',
  'expectStructured',
  'expectText',
  'expectToolError',
  'recorded',
  'storeContract',
  'testClient',
];

describe('what can be imported', () => {
  it('from the core comes by these names', () => {
    const entries = [...publicNames().keys()].filter((name) => name.startsWith('@ccmcp/core'));
    expect(entries.sort()).toEqual([
      '@ccmcp/core',
      '@ccmcp/core/client',
      '@ccmcp/core/http',
      '@ccmcp/core/stdio',
      '@ccmcp/core/testing',
    ]);
  });

  it('from @ccmcp/core is this', () => {
    expect(Object.keys(core).sort()).toEqual(coreValues);
    expect(exportedNames('@ccmcp/core').sort()).toEqual([...coreValues, ...coreTypes].sort());
  });

  it('from @ccmcp/core/stdio is this', () => {
    expect(Object.keys(stdio)).toEqual(['serveStdio']);
    expect(exportedNames('@ccmcp/core/stdio').sort()).toEqual([...stdioTypes, 'serveStdio']);
  });

  it('from @ccmcp/core/http is this', () => {
    expect(exportedNames('@ccmcp/core/http').sort()).toEqual(http);
  });

  it('from @ccmcp/core/client is this', () => {
    expect(exportedNames('@ccmcp/core/client').sort()).toEqual(client);
  });

  it('from @ccmcp/core/client has a sentence above it', () => {
    const path = publicNames().get('@ccmcp/core/client') as string;
    const { imports } = source(path, readFileSync(join(root, path), 'utf8'));
    const files = imports.map(({ from, names }) => [join(root, dirname(path), from), names] as const);
    const bare = files.flatMap(([file, names]) => {
      const text = readFileSync(file, 'utf8');
      return listed(names).filter((name) => !hasSentence(text, name));
    });
    expect(bare).toEqual([]);
    expect(hasSentence('/** One. */\nexport const x = 1;\nexport class Y {}', 'x')).toBe(true);
    expect(hasSentence('/** One. */\nexport const x = 1;\nexport class Y {}', 'Y')).toBe(false);
  });

  it('from @ccmcp/core/client is told of in its guide', () => {
    const guide = readFileSync(join(root, 'docs/client.md'), 'utf8');
    const code = Array.from(guide.matchAll(/^```ts\n.*?^```$|`[^`\n]+`/gms), ([text]) => text).join('\n');
    const untold = exportedNames('@ccmcp/core/client').filter((name) => !new RegExp(`\\b${name}\\b`).test(code));
    expect(untold).toEqual([]);
  });

  it('from @ccmcp/core/testing is this', () => {
    expect(exportedNames('@ccmcp/core/testing').sort()).toEqual(testing);
  });
});
