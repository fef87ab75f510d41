import { join } from 'node:path';

/** How a client talks to a server over HTTP. */
export type HttpMode = 'stateless' | 'session' | '2026-07-28';
export type Era = 'handshake' | '2026-07-28';

/** A measured server: a floor, this library, or a peer. */
export interface Subject {
  readonly name: string;
  readonly kind: 'floor' | 'ours' | 'peer';
  /** The folder of its server files, inside `peers`. */
  readonly folder: string;
  /** Its HTTP server, if not `http.mjs`. */
  readonly file?: string;
  readonly stdio: readonly Era[];
  readonly http: readonly HttpMode[];
  /** Features of this library that its server turns on. */
  readonly features?: readonly string[];
  /** The packages that count for its installed size. */
  readonly packages: readonly string[];
}

const eras: readonly Era[] = ['handshake', '2026-07-28'];
const modes: readonly HttpMode[] = ['stateless', 'session', '2026-07-28'];

/** The floor that others are compared with. */
export const floor = 'bare Node';
/** The floor with short requests of the handshake, where others get those of 2026-07-28. */
export const shortFloor = 'bare, short';
/** The floor as one ES module: what start-up is compared with. */
export const oneFileFloor = 'bare Node, one file';
export const ours = 'ccmcp';

function subject(
  kind: Subject['kind'],
  name: string,
  { folder = name, stdio = [], http = [], packages = [], ...more }: Partial<Subject>,
): Subject {
  return { kind, name, folder, stdio, http, packages, ...more };
}

/** All servers, in the order of the tables. */
export const subjects: readonly Subject[] = [
  subject('floor', floor, { folder: 'bare', stdio: eras, http: modes }),
  subject('floor', 'bare Node, fast', { folder: 'bare-fast', http: modes }),
  subject('ours', ours, { stdio: eras, http: modes, packages: ['@ccmcp/core'] }),
  subject('ours', 'ccmcp + zod', { folder: 'ccmcp-zod', stdio: eras, packages: ['@ccmcp/core', 'zod'] }),
  subject('peer', 'tmcp', {
    stdio: eras,
    http: ['session', '2026-07-28'],
    packages: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-stdio', '@tmcp/transport-http', 'zod'],
  }),
  subject('peer', 'mcp-lite', { http: ['stateless', 'session'], packages: ['mcp-lite'] }),
  subject('peer', 'SDK v1', {
    folder: 'sdk-1',
    stdio: ['handshake'],
    http: ['stateless', 'session'],
    packages: ['@modelcontextprotocol/sdk', 'zod'],
  }),
  subject('peer', 'SDK v2', {
    folder: 'sdk-2',
    stdio: eras,
    http: modes,
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  }),
  subject('peer', 'fastmcp', {
    stdio: ['handshake'],
    http: ['stateless', 'session'],
    packages: ['fastmcp', 'zod'],
  }),
];

/** This library's HTTP server with features turned on; named after them, or otherwise. */
export function variant(name: string, ...features: readonly string[]): Subject {
  return subject('ours', name, { folder: 'ccmcp', http: modes, features });
}

/** Without a token, with one that is ignored, and with one that is checked: a long header has a cost of its own. */
export const authNames: readonly string[] = ['open', 'ignored', 'checked'];

/** This library's gateway over HTTP with a server on stdio behind, and the least that one can do. */
export const gatewayName = 'ccmcp gateway';
export const bareProxyName = 'bare proxy';

/** What takes part beside a direct call over HTTP. */
export const gateways: readonly Subject[] = [
  subject('floor', bareProxyName, { folder: 'bare-proxy' }),
  subject('ours', gatewayName, { folder: 'ccmcp-gateway' }),
];

/** Gateways with 50 upstreams: none of them started; with 2000 tools in all, beside one server with as many. */
export const idleGatewayName = 'ccmcp gateway, 50 upstreams';
export const listedGatewayName = 'ccmcp gateway, 50 upstreams with 2000 tools';
export const listedName = 'ccmcp, 2000 tools';
export const listing: readonly Subject[] = [
  variant(listedName, 'listed=2000'),
  subject('ours', listedGatewayName, { folder: 'ccmcp-gateway', file: 'many.mjs', features: ['listed'] }),
];

/** Another gateway over HTTP, with the server on stdio behind that all gateways have. */
export interface GatewayPeer {
  readonly name: string;
  /** What it calls the tool `echo`. */
  readonly tool: string;
  /** Absent: HTTP+SSE only. */
  readonly mode?: HttpMode;
  /** The file that is run, inside `node_modules`, and its arguments. */
  readonly program: string;
  args(where: { port: number; upstream: string; config: string }): readonly string[];
  /** Ends what runs beside it. */
  readonly stop?: (config: string) => readonly string[];
}

/** Started as their documentation has it. */
export const gatewayPeers: readonly GatewayPeer[] = [
  {
    name: 'mcp-proxy',
    tool: 'echo',
    mode: 'session',
    program: 'mcp-proxy/dist/bin/mcp-proxy.mjs',
    args: ({ port, upstream }) => ['--port', String(port), '--server', 'stream', '--', process.execPath, upstream],
  },
  {
    name: 'supergateway',
    tool: 'echo',
    mode: 'session',
    program: 'supergateway/dist/index.js',
    args({ port, upstream }) {
      const options = `--outputTransport streamableHttp --stateful --logLevel none --port ${port}`;
      return ['--stdio', `"${process.execPath}" "${upstream}"`, ...options.split(' ')];
    },
  },
  {
    name: 'mcp-hub',
    tool: 'bench__echo',
    program: 'mcp-hub/dist/cli.js',
    args: ({ port, config }) => ['--port', String(port), '--config', config],
  },
  {
    name: 'mcporter serve',
    tool: 'bench__echo',
    mode: 'stateless',
    program: 'mcporter/dist/cli.js',
    args: ({ port, config }) => ['--config', config, 'serve', '--http', String(port)],
    stop: (config) => ['--config', config, 'daemon', 'stop'],
  },
];

export const redisName = 'ccmcp, Redis';
export const mountedName = 'ccmcp, inspector mounted';
/** Servers with middleware: a result budget that is not reached; a tool called by its name, and through `call_tool`. */
export const budgetName = 'ccmcp, result budget';
export const directName = 'ccmcp, tool search';
export const callToolName = 'ccmcp, tool search, call_tool';

export const tasksName = 'ccmcp, tasks';
export const limitedName = 'ccmcp, rate limit';
export const limitedRedisName = 'ccmcp, rate limit, Redis';
/** Further rows of tables, after the subjects. */
export const variantNames: readonly string[] = [
  'ccmcp, metrics',
  'ccmcp, metrics + audit',
  tasksName,
  budgetName,
  directName,
  callToolName,
  'ccmcp, again',
  mountedName,
  limitedName,
  redisName,
  limitedRedisName,
  'ccmcp, 2 workers',
  ...authNames,
  'alone',
  'flooded',
  ...gateways.map(({ name }) => name),
  ...gatewayPeers.map(({ name }) => name),
  idleGatewayName,
  listedName,
  listedGatewayName,
];

/** A task, and three ordinary calls. */
export const taskName = 'a task';
export const taskFloor = 'three calls';

/** The inspector's page, and what it is compared with. */
export const inspectorName = 'ccmcp inspect';
export const emptyPage = 'Chromium, empty page';

/** A measured client: a file inside `peers`. */
export interface ClientSubject {
  readonly name: string;
  readonly file: string;
  readonly transports: readonly ('stdio' | 'http')[];
  readonly eras: readonly Era[];
}

const everywhere = ['stdio', 'http'] as const;

/** All clients. Over HTTP the floor uses `node:http`: `fetch` takes four times the CPU. */
export const clientSubjects: readonly ClientSubject[] = [
  { name: floor, file: 'bare/client.mjs', transports: everywhere, eras },
  { name: ours, file: 'ccmcp/client.mjs', transports: everywhere, eras },
  { name: 'SDK v1', file: 'sdk-1/client.mjs', transports: everywhere, eras: ['handshake'] },
  { name: 'SDK v2', file: 'sdk-2/client.mjs', transports: everywhere, eras },
];

/** Every row that a table may have, floors first. */
export const rowNames: readonly string[] = [
  'node -e 0',
  'idle Node',
  oneFileFloor,
  shortFloor,
  ...subjects.map(({ name }) => name),
  ...variantNames,
  'ccmcp command',
  taskFloor,
  taskName,
  emptyPage,
  inspectorName,
];

/** The arguments that start a subject's server on stdio. */
export function stdioArguments(folder: string, { folder: own }: Subject, tools = 2): string[] {
  return [join(folder, 'peers', own, 'stdio.mjs'), String(tools)];
}

/** The arguments that start a subject's server on a port. */
export function httpArguments(
  folder: string,
  { folder: own, file = 'http.mjs', features = [] }: Subject,
  port: number,
  mode: HttpMode,
): string[] {
  return [join(folder, 'peers', own, file), String(port), mode, ...features];
}
