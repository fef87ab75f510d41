import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as core from '@ccmcp/core';
import * as apps from '@ccmcp/core/apps';
import * as appsHost from '@ccmcp/core/apps-host';
import * as appsSandbox from '@ccmcp/core/apps-sandbox';
import * as audit from '@ccmcp/core/audit';
import * as client from '@ccmcp/core/client';
import * as groups from '@ccmcp/core/groups';
import * as clientQuirks from '@ccmcp/core/client-quirks';
import * as contracts from '@ccmcp/core/contracts';
import * as http from '@ccmcp/core/http';
import * as observe from '@ccmcp/core/observe';
import * as skills from '@ccmcp/core/skills';
import * as tasks from '@ccmcp/core/tasks';
import * as stdio from '@ccmcp/core/stdio';
import * as telemetry from '@ccmcp/core/telemetry';
import * as coerceArguments from '@ccmcp/core/coerce-arguments';
import * as resultBudget from '@ccmcp/core/result-budget';
import * as compose from '@ccmcp/core/compose';
import * as toolSearch from '@ccmcp/core/tool-search';
import * as recording from '@ccmcp/core/recording';
import * as testing from '@ccmcp/core/testing';
import * as inspector from '@ccmcp/inspector';
import * as probe from '@ccmcp/inspector/probe';
import * as gateway from '@ccmcp/gateway';
import * as gatewayCredentials from '@ccmcp/gateway/credentials';
import * as openapi from '@ccmcp/openapi';
import * as postgres from '@ccmcp/postgres';
import * as redis from '@ccmcp/redis';
import { describe, expect, it } from 'vitest';
import { publicNames, publishedSources, root, source } from './support/imports.ts';

const run = promisify(execFile);

/** The exports of one entry, and the guides that document them. */
interface Entry {
  module: object;
  values: string[];
  types: string[];
  guides: string[];
}

/** A new name is a promise, a removed name breaks programs. */
const entries: Record<string, Entry> = {
  '@ccmcp/core': {
    module: core,
    values: [
      'ErrorCode',
      'ProtocolError',
      'ToolError',
      'audio',
      'createServer',
      'embeddedResource',
      'image',
      'insufficientScope',
      'isServer',
      'limits',
      'logLevels',
      'prompt',
      'replaceable',
      'resource',
      'resourceLink',
      'stderrLogger',
      'template',
      'text',
      'tool',
    ],
    types: [
      'Ability',
      'AddToTool',
      'Annotations',
      'AroundTool',
      'Job',
      'JobHandle',
      'JobOutcome',
      'JobQuestion',
      'QuestionEnd',
      'ObservedQuestion',
      'QuestionWatch',
      'Audience',
      'AudioContent',
      'Auth',
      'CacheHints',
      'CallToolResult',
      'ClientCapabilities',
      'Completer',
      'CompletionContext',
      'CompletionValues',
      'ContentBlock',
      'Context',
      'Elicited',
      'EmbeddedResource',
      'CloseReason',
      'AuthPolicy',
      'PartOfWhole',
      'ReceivedRequest',
      'Peer',
      'Extension',
      'ExtensionMethod',
      'ExtensionNotification',
      'LegacyForm',
      'GetPromptResult',
      'Icon',
      'IdempotencyOptions',
      'ImageContent',
      'Implementation',
      'JsonSchema',
      'JsonSchemaKeywords',
      'SerializedCall',
      'Limit',
      'Listen',
      'ListSource',
      'Listening',
      'LogEntry',
      'LogLevel',
      'Logger',
      'MethodFacts',
      'MethodRows',
      'Middleware',
      'MiddlewareOptions',
      'Next',
      'ObservedRequest',
      'Observer',
      'Offered',
      'OfferedResources',
      'Operation',
      'Origin',
      'Outcome',
      'Prompt',
      'PromptArgument',
      'PromptMessage',
      'PromptValue',
      'Question',
      'RateLimit',
      'RateName',
      'Rated',
      'Replaceable',
      'Requirement',
      'RequestEnd',
      'RequestOutcome',
      'RequestWatch',
      'Resource',
      'ResourceContents',
      'ResourceLink',
      'ResourceListing',
      'ResourcePage',
      'ResourceValue',
      'Result',
      'Root',
      'RunningCall',
      'SampleQuestion',
      'SampleResult',
      'SamplingContent',
      'SamplingMessage',
      'Schema',
      'SchemaShape',
      'Scopes',
      'Server',
      'ServerCapabilities',
      'ServerExtension',
      'ServerOptions',
      'Service',
      'StandardSchema',
      'StuckHandler',
      'TaskSupport',
      'Template',
      'TextContent',
      'Tool',
      'ToolAnnotations',
      'ToolResult',
      'ToolAddition',
      'ToolValue',
      'ToolView',
    ],
    guides: ['docs/server.md', 'docs/scopes.md', 'docs/extensions.md', 'docs/transports.md'],
  },
  '@ccmcp/core/stdio': {
    module: stdio,
    values: ['serveStdio', 'interceptStdio'],
    types: ['StdioConnection', 'StdioOptions', 'StdioInterceptor'],
    guides: ['docs/transports.md'],
  },
  '@ccmcp/core/http': {
    module: http,
    values: [
      'StoreHeartbeat',
      'anyOf',
      'apiKey',
      'createStore',
      'httpHandler',
      'memoryStore',
      'oauth',
      'presets',
      'serveHttp',
    ],
    types: [
      'AdminOptions',
      'ApiKey',
      'ApiKeyOptions',
      'Auth',
      'AuthRejection',
      'Authenticator',
      'CallerOf',
      'CallerRequest',
      'Counted',
      'CredentialsRequest',
      'DpopOptions',
      'Fields',
      'HealthPaths',
      'HttpHandler',
      'HttpOptions',
      'HttpPage',
      'HttpPageRequest',
      'HttpPageResponse',
      'HttpService',
      'InspectorPlace',
      'IntrospectionOptions',
      'IssuerRule',
      'Life',
      'LogBounds',
      'MakeInspector',
      'MemberBounds',
      'MemberChanges',
      'MemoryStoreOptions',
      'MountedInspector',
      'NamedCaller',
      'NeededScopes',
      'OAuthCaller',
      'OAuthClaims',
      'OAuthOptions',
      'QuotaRequest',
      'Preset',
      'ProtectedEndpoint',
      'PublicDocument',
      'Readiness',
      'RecordLabels',
      'RecordLimits',
      'Room',
      'ServeHttpOptions',
      'ServerCardOptions',
      'Store',
      'StoreDriver',
      'StoreFault',
      'StoreHeartbeatOptions',
      'StoreStatus',
      'StoredEntry',
      'StoredValue',
      'TokenBucketResult',
      'TokenBucket',
      'ValueOptions',
    ],
    guides: [
      'docs/transports.md',
      'docs/inspector.md',
      'docs/operating.md',
      'docs/auth.md',
      'docs/scopes.md',
      'docs/stores.md',
    ],
  },
  '@ccmcp/core/client': {
    module: client,
    values: [
      'AuthError',
      'ConnectionError',
      'HttpError',
      'LightAbortController',
      'ResultError',
      'TimeoutError',
      'addressKind',
      'checkValue',
      'clientCredentials',
      'completeAuthorization',
      'connect',
      'contentTokens',
      'enterpriseManaged',
      'httpTransport',
      'loopbackAuthorize',
      'memoryTokenStore',
      'memoryTransport',
      'oauth',
      'protocolVersions',
      'sendByFetch',
      'sendChecked',
      'spawn',
      'sseTransport',
      'tapTransport',
      'textTokens',
      'tokenEstimate',
      'toolTokens',
      'workloadIdentity',
    ],
    types: [
      'AbortSignalLike',
      'AddressCheck',
      'AddressKind',
      'AnswerOptions',
      'Asking',
      'AuthorizedRequest',
      'Change',
      'CheckedValue',
      'Client',
      'ClientCredentialsOptions',
      'ClientExtension',
      'ClientMiddleware',
      'ClientNotification',
      'ClientObserver',
      'CompleteAuthorizationOptions',
      'Completion',
      'CompletionQuestion',
      'ConnectOptions',
      'ConnectionEnd',
      'EnterpriseOptions',
      'Filter',
      'FollowedRequest',
      'FormAnswer',
      'FormQuestion',
      'HttpAuth',
      'HttpClientOptions',
      'HttpTap',
      'HttpWatch',
      'KnownServer',
      'ListenOptions',
      'Listing',
      'LogMessage',
      'Message',
      'MethodFacts',
      'MethodRows',
      'MethodTable',
      'ModelsTool',
      'ExtensionListenOptions',
      'OAuthOptions',
      'ObservedQuestion',
      'ObservedSending',
      'Params',
      'Peer',
      'PendingAuthorization',
      'Progress',
      'QuestionWatch',
      'Receiver',
      'RejectedRequest',
      'RemoteRequest',
      'RemoteResponse',
      'RequestOptions',
      'ResultType',
      'SampleAnswer',
      'SendRemoteRequest',
      'Sender',
      'SendingEnd',
      'SendingOutcome',
      'SendingWatch',
      'Serving',
      'SpawnOptions',
      'StoredGrant',
      'Subscription',
      'TappedRequest',
      'TappedResponse',
      'TokenKey',
      'TokenStore',
      'Transport',
      'UrlAnswer',
      'UrlQuestion',
    ],
    guides: ['docs/client.md', 'docs/extensions.md'],
  },
  '@ccmcp/core/observe': {
    module: observe,
    values: ['metrics', 'requestLog'],
    types: [
      'LoggedRequest',
      'MetricFamily',
      'MetricSample',
      'MetricSource',
      'Metrics',
      'MetricsOptions',
      'RequestLogOptions',
    ],
    guides: ['docs/operating.md'],
  },
  '@ccmcp/core/audit': {
    module: audit,
    values: ['audit', 'auditFiles', 'isSecretName', 'maskText', 'verifyAudit'],
    types: ['AuditOptions', 'AuditProblem', 'AuditReport', 'AuditTrail', 'Redact', 'VerifyOptions'],
    guides: ['docs/audit.md'],
  },
  '@ccmcp/core/compose': {
    module: compose,
    values: ['compose'],
    types: ['ComposeOptions', 'ComposedServer', 'Part', 'Parts'],
    guides: ['docs/server.md'],
  },
  '@ccmcp/core/tool-search': {
    module: toolSearch,
    values: ['createToolIndex', 'hasToolSearch', 'searchToolListings', 'toolSearch'],
    types: ['IndexedTool', 'ToolHit', 'ToolIndex', 'ToolSearchOptions'],
    guides: ['docs/tool-search.md'],
  },
  '@ccmcp/core/client-quirks': {
    module: clientQuirks,
    values: ['adaptToClient', 'affectedTools', 'clientQuirks', 'quirksOf'],
    types: ['AdaptOptions', 'ClientMatch', 'ClientQuirk', 'QuirkFix'],
    guides: ['docs/client-quirks.md'],
  },
  '@ccmcp/core/contracts': {
    module: contracts,
    values: [
      'HeldBackError',
      'LockError',
      'acceptDefinitions',
      'changeKinds',
      'compareSchemas',
      'createLock',
      'diffLocks',
      'findSuspicious',
      'formatChanges',
      'formatLock',
      'lockedTarget',
      'parseLock',
      'suspiciousIn',
      'worstKind',
    ],
    types: [
      'ChangeKind',
      'ChangedItem',
      'Compatibility',
      'Definition',
      'DefinitionChange',
      'HeldBack',
      'Lock',
      'LockedDefinition',
      'LockedServer',
      'SchemaChange',
      'Suspicion',
      'SuspicionContext',
      'SuspicionReason',
    ],
    guides: ['docs/contracts.md'],
  },
  '@ccmcp/core/groups': {
    module: groups,
    values: ['groups', 'groupsClient', 'groupsOf', 'nameMatcher'],
    types: [
      'Group',
      'GroupContents',
      'GroupDefinition',
      'GroupDetails',
      'GroupsClientOptions',
      'GroupsOptions',
      'RemoteGroups',
      'ServedGroups',
    ],
    guides: ['docs/groups.md'],
  },
  '@ccmcp/core/result-budget': {
    module: resultBudget,
    values: ['firstPage', 'resultBudget'],
    types: ['LargeImage', 'ResizedImage', 'ResultBudgetOptions'],
    guides: ['docs/result-budget.md'],
  },
  '@ccmcp/core/coerce-arguments': {
    module: coerceArguments,
    values: ['coerceArguments'],
    types: [],
    guides: ['docs/server.md'],
  },
  '@ccmcp/core/telemetry': {
    module: telemetry,
    values: ['clientTelemetry', 'telemetry'],
    types: ['ServerTelemetryOptions', 'TelemetryOptions'],
    guides: ['docs/tracing.md'],
  },
  '@ccmcp/core/apps': {
    module: apps,
    values: ['appView', 'apps', 'appsClient'],
    types: [
      'AppView',
      'AppViewOptions',
      'DocumentSource',
      'ToolUiMeta',
      'ViewCsp',
      'ViewMeta',
      'ViewPermissions',
      'Visibility',
    ],
    guides: ['docs/apps.md'],
  },
  '@ccmcp/core/apps-host': {
    module: appsHost,
    values: ['AppError', 'appHost', 'isForModel', 'readAppPage'],
    types: [
      'AppContainer',
      'AppEvents',
      'AppHostOptions',
      'AppMessage',
      'AppPage',
      'AppProblem',
      'AppRequests',
      'AppServer',
      'DisplayMode',
      'DownloadedFile',
      'HostContext',
      'HostedView',
      'HostedViewState',
      'ModelContext',
      'PolicyViolation',
      'SandboxReport',
      'Verdict',
      'ViewError',
      'ViewLog',
      'ViewSize',
    ],
    guides: ['docs/apps-host.md'],
  },
  '@ccmcp/core/apps-sandbox': {
    module: appsSandbox,
    values: ['appSandbox', 'serveAppSandbox'],
    types: ['AppSandbox', 'AppSandboxOptions', 'ServeAppSandboxOptions', 'ServedAppSandbox'],
    guides: ['docs/apps-host.md'],
  },
  '@ccmcp/core/skills': {
    module: skills,
    values: ['SkillError', 'joinSkills', 'skills', 'skillsClient', 'skillsOf'],
    types: [
      'FileVerdict',
      'Frontmatter',
      'LoadedSkill',
      'RemoteSkills',
      'ServedSkills',
      'Skill',
      'SkillFile',
      'SkillFiles',
      'SkillHead',
      'SkillList',
      'SkillProblem',
      'SkillsOptions',
    ],
    guides: ['docs/skills.md'],
  },
  '@ccmcp/core/tasks': {
    module: tasks,
    values: ['TaskCancelledError', 'TaskGoneError', 'tasks', 'tasksClient', 'tasksOf'],
    types: [
      'DetailedTask',
      'InputRequest',
      'RemoteTask',
      'RemoteTasks',
      'Task',
      'TaskForm',
      'TaskHandle',
      'TaskKeeper',
      'TaskQuestion',
      'TaskStatus',
      'TaskWaiting',
      'TasksClient',
      'TasksClientOptions',
      'TasksOptions',
    ],
    guides: ['docs/client.md', 'docs/tasks.md'],
  },
  '@ccmcp/core/recording': {
    module: recording,
    values: [
      'createFraming',
      'mask',
      'maskBody',
      'maskHeaders',
      'maskLabel',
      'maskUrl',
      'openTransport',
      'parseEvents',
      'parseFrame',
      'readRecording',
      'readRecordingEnd',
      'recordingFormat',
      'recordingVersion',
      'recordingWriter',
      'replayRecording',
      'safeStringify',
      'subjectOf',
    ],
    types: [
      'Cue',
      'Framing',
      'FramingName',
      'MaskedHeaders',
      'MatchKeys',
      'MessagePosition',
      'ParsedMessage',
      'RecordedConnection',
      'RecordedExchange',
      'RecordedMessage',
      'RecordedSender',
      'RecordedSession',
      'RecordedTarget',
      'Recording',
      'RecordingEnd',
      'RecordingHead',
      'RecordingWriter',
      'RecordingWriterOptions',
      'Replay',
      'ReplayConnection',
      'ReplayOptions',
      'Step',
      'StreamEvent',
      'Unreadable',
    ],
    guides: ['docs/recordings.md'],
  },
  '@ccmcp/core/testing': {
    module: testing,
    values: [
      'TestFailure',
      'authorizationServer',
      'expectCompatible',
      'expectProtocolError',
      'expectStructured',
      'expectText',
      'expectToolError',
      'expectView',
      'proofFaults',
      'proofKey',
      'recorded',
      'storeContract',
      'tapTransport',
      'testClient',
      'tokenFaults',
    ],
    types: [
      'Answer',
      'AuthEndpoint',
      'AuthorizationServerOptions',
      'AuthorizationServerSettings',
      'CompatibleOptions',
      'ExpectedView',
      'IssuedToken',
      'KnownClient',
      'Line',
      'MetadataForm',
      'OpenStore',
      'Outage',
      'ProofFault',
      'ProofKey',
      'ProofWish',
      'PublicJwk',
      'RecordedOptions',
      'RecordedRequest',
      'ScopeClaim',
      'Sender',
      'StoreCase',
      'TestAlgorithm',
      'TestAuthorizationServer',
      'TestClient',
      'TestClientOptions',
      'TokenFault',
      'TokenWish',
      'Transcript',
    ],
    guides: ['docs/testing.md', 'docs/recordings.md', 'docs/stores.md', 'docs/apps.md', 'docs/contracts.md'],
  },
  '@ccmcp/inspector': {
    module: inspector,
    values: ['inspector', 'mountedInspector', 'serveInspector'],
    types: [
      'Inspector',
      'InspectorOptions',
      'InspectorService',
      'ModelOptions',
      'OfferedTarget',
      'PageSettings',
      'PageSettingsStore',
      'ServeInspectorOptions',
      'Target',
    ],
    guides: ['docs/inspector.md'],
  },
  '@ccmcp/inspector/probe': {
    module: probe,
    values: ['discoverOAuth', 'probe', 'readCatalog', 'readJwt', 'scopesIn', 'sendRequest'],
    types: [
      'CatalogServer',
      'Claims',
      'Finding',
      'OAuthDiscovery',
      'ProbeClientOptions',
      'ProbeOptions',
      'ProbeReport',
      'ProbeStep',
      'ProbeTarget',
      'ProbeTexts',
      'ProblemKind',
      'RawRequest',
      'RawResponse',
    ],
    guides: ['docs/inspector.md'],
  },
  '@ccmcp/gateway': {
    module: gateway,
    values: ['remote'],
    types: ['CallerCredentials', 'Remote', 'RemoteGroup', 'RemoteOptions', 'RemoteStatus', 'RemoteTarget'],
    guides: ['docs/gateway.md'],
  },
  '@ccmcp/gateway/credentials': {
    module: gatewayCredentials,
    values: ['sharedTokens', 'signIns'],
    types: ['CallerCredentials', 'SharedTokens', 'SharedTokensOptions', 'SignInOptions', 'SignIns'],
    guides: ['docs/gateway.md'],
  },
  '@ccmcp/openapi': {
    module: openapi,
    values: ['openApi'],
    types: [
      'CallerCredentials',
      'Credential',
      'Credentials',
      'OfferedOperation',
      'OpenApiOptions',
      'OpenApiServer',
      'OperationFilter',
      'SkippedOperation',
    ],
    guides: ['docs/openapi.md'],
  },
  '@ccmcp/postgres': {
    module: postgres,
    values: ['postgresStore'],
    types: ['PostgresStoreOptions'],
    guides: ['docs/stores.md'],
  },
  '@ccmcp/redis': {
    module: redis,
    values: ['redisStore'],
    types: ['RedisStoreOptions'],
    guides: ['docs/stores.md'],
  },
};

const names = Object.keys(entries);

function entry(name: string): Entry {
  return entries[name] as Entry;
}

/** The names that an entry exports, each with its declaring file. */
function exportsOf(name: string): { exported: string; file: string }[] {
  const path = publicNames().get(name) as string;
  const { imports } = source(path, readFileSync(join(root, path), 'utf8'));
  return imports.flatMap(({ from, names: list }) =>
    parseList(list).map((exported) => ({ exported, file: join(root, dirname(path), from) })),
  );
}

/** The names in `{ type A, b }`. */
function parseList(list: string): string[] {
  const each = list.replace(/[{}]/g, '').split(',');
  return each.map((name) => name.trim().replace(/^type /, '')).filter((name) => name !== '');
}

const kinds = 'interface|type|class|const|function|async function\\*?';

/** The names that a file declares and exports. */
function declarationsIn(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(`^export (?:${kinds}) (\\w+)`, 'gm')), ([, name = '']) => name);
}

/** True if the declaration of a name has a comment. */
function hasSentence(text: string, name: string): boolean {
  return new RegExp(`\\*/\\nexport (?:${kinds}) ${name}\\b`).test(text);
}

/** The code of a guide: its examples, and its inline code. */
function codeOf(guide: string): { examples: string; mentions: string } {
  const examples = Array.from(guide.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code).join('\n');
  const prose = guide.replace(/^```.*?^```$/gms, '');
  return { examples, mentions: Array.from(prose.matchAll(/`([^`\n]+)`/g), ([, code]) => code).join('\n') };
}

function shows(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

describe('what can be imported', () => {
  it('from the libraries has these names', () => {
    const found = [...publicNames().keys()].filter((name) => !name.startsWith('@ccmcp/servers'));
    expect(found.sort()).toEqual(names.toSorted());
  });

  it.each(names)('from %s is this', (name) => {
    const { module, values, types } = entry(name);
    expect(Object.keys(module).sort()).toEqual(values.toSorted());
    expect(
      exportsOf(name)
        .map(({ exported }) => exported)
        .sort(),
    ).toEqual([...values, ...types].sort());
  });

  it('is the same in the build, with its bundled dependencies', async () => {
    const script = `const all = {};
      for (const name of ${JSON.stringify(names)}) all[name] = Object.keys(await import(name)).sort();
      console.log(JSON.stringify(all));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(names.map((name) => [name, entry(name).values.toSorted()])));
  });

  it.each(names)('from %s has a comment', (name) => {
    const bare = exportsOf(name).filter(({ exported, file }) => !hasSentence(readFileSync(file, 'utf8'), exported));
    expect(bare).toEqual([]);
  });

  it.each(names)('of %s is named in a guide, and each value has an example there', (name) => {
    const { values, types, guides } = entry(name);
    const { examples, mentions } = codeOf(guides.map((guide) => readFileSync(join(root, guide), 'utf8')).join('\n'));
    expect(values.filter((value) => !shows(examples, value))).toEqual([]);
    expect(types.filter((type) => !shows(examples, type) && !shows(mentions, type))).toEqual([]);
  });
});

describe('exports between files of the core', () => {
  it('have a comment, too', () => {
    const sources = publishedSources().filter(({ path }) => path.startsWith('packages/core/src/'));
    const bare = sources.flatMap(({ path, text }) =>
      declarationsIn(text)
        .filter((name) => !hasSentence(text, name))
        .map((name) => `${path}: ${name}`),
    );

    expect(sources.length).toBeGreaterThan(200);
    expect(bare).toEqual([]);
    expect(
      declarationsIn('export const a = 1;\nexport type { B } from "./b.ts";\nexport async function c() {}'),
    ).toEqual(['a', 'c']);
  });
});

describe('the check', () => {
  it('detects which export has a comment', () => {
    const text = '/** One. */\nexport const x = 1;\nexport class Y {}';
    expect(hasSentence(text, 'x')).toBe(true);
    expect(hasSentence(text, 'Y')).toBe(false);
  });

  it('distinguishes examples from mentions', () => {
    const { examples, mentions } = codeOf('Use `a`.\n\n```ts\nb();\n```\n\nOr `c(d)`; not e.\n');
    expect(examples).toBe('b();\n');
    expect(mentions).toBe('a\nc(d)');
  });
});
