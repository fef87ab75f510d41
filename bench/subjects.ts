import { join } from 'node:path';

/** How a client talks to a server over HTTP. */
export type HttpMode = 'stateless' | 'session' | '2026-07-28';

/** Something that is measured: a floor, this library, or a peer. */
export interface Subject {
  readonly name: string;
  readonly kind: 'floor' | 'ours' | 'peer';
  /** Where its server files are, inside `peers`. */
  readonly folder: string;
  /** The protocol eras it serves over stdio. */
  readonly stdio: readonly ('handshake' | '2026-07-28')[];
  readonly http: readonly HttpMode[];
  /** What watches its server, where something does: `http.mjs` is told. */
  readonly watched?: readonly string[];
  /** The packages that its servers import, by which its installed size is told. */
  readonly packages: readonly string[];
}

const both = ['handshake', '2026-07-28'] as const;
const everyMode = ['stateless', 'session', '2026-07-28'] as const;

/** Who takes part, in the order of the tables. */
export const subjects: readonly Subject[] = [
  { name: 'bare Node', kind: 'floor', folder: 'bare', stdio: both, http: everyMode, packages: [] },
  { name: 'bare Node, fast', kind: 'floor', folder: 'bare-fast', stdio: [], http: everyMode, packages: [] },
  { name: 'ccmcp', kind: 'ours', folder: 'ccmcp', stdio: both, http: everyMode, packages: ['@ccmcp/core'] },
  {
    name: 'ccmcp + zod',
    kind: 'ours',
    folder: 'ccmcp-zod',
    stdio: both,
    http: [],
    packages: ['@ccmcp/core', 'zod'],
  },
  {
    name: 'tmcp',
    kind: 'peer',
    folder: 'tmcp',
    stdio: both,
    http: ['session', '2026-07-28'],
    packages: ['tmcp', '@tmcp/adapter-zod', '@tmcp/transport-stdio', '@tmcp/transport-http', 'zod'],
  },
  {
    name: 'mcp-lite',
    kind: 'peer',
    folder: 'mcp-lite',
    stdio: [],
    http: ['stateless', 'session'],
    packages: ['mcp-lite'],
  },
  {
    name: 'SDK v1',
    kind: 'peer',
    folder: 'sdk-1',
    stdio: ['handshake'],
    http: ['stateless', 'session'],
    packages: ['@modelcontextprotocol/sdk', 'zod'],
  },
  {
    name: 'SDK v2',
    kind: 'peer',
    folder: 'sdk-2',
    stdio: both,
    http: everyMode,
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  },
  {
    name: 'fastmcp',
    kind: 'peer',
    folder: 'fastmcp',
    stdio: ['handshake'],
    http: ['stateless', 'session'],
    packages: ['fastmcp', 'zod'],
  },
];

/** The same server, watched by nobody and by whoever an operator may want: what that costs is the difference. */
export const watchedSubjects: readonly Subject[] = [
  { name: 'ccmcp', kind: 'ours', folder: 'ccmcp', stdio: [], http: ['2026-07-28'], packages: [] },
  {
    name: 'ccmcp, metrics',
    kind: 'ours',
    folder: 'ccmcp',
    stdio: [],
    http: ['2026-07-28'],
    watched: ['metrics'],
    packages: [],
  },
  {
    name: 'ccmcp, metrics + audit',
    kind: 'ours',
    folder: 'ccmcp',
    stdio: [],
    http: ['2026-07-28'],
    watched: ['metrics', 'audit'],
    packages: [],
  },
];

/** The same server, without tools that run as tasks and with one: what that costs calls of the others is the difference. */
export const taskSubjects: readonly Subject[] = [
  { name: 'ccmcp', kind: 'ours', folder: 'ccmcp', stdio: [], http: ['2026-07-28'], packages: [] },
  {
    name: 'ccmcp, tasks',
    kind: 'ours',
    folder: 'ccmcp',
    stdio: [],
    http: ['2026-07-28'],
    watched: ['tasks'],
    packages: [],
  },
];

/** The same server, without the inspector and with it mounted where nobody opens it. */
export const mountedSubjects: readonly Subject[] = [
  { name: 'ccmcp', kind: 'ours', folder: 'ccmcp', stdio: [], http: ['2026-07-28'], packages: [] },
  // How far two processes of the same server lie apart.
  { name: 'ccmcp, again', kind: 'ours', folder: 'ccmcp', stdio: [], http: ['2026-07-28'], packages: [] },
  {
    name: 'ccmcp, inspector mounted',
    kind: 'ours',
    folder: 'ccmcp',
    stdio: [],
    http: ['2026-07-28'],
    watched: ['inspector'],
    packages: [],
  },
];

/** The inspector's page, and what it is compared with. */
export const inspectorName = 'ccmcp inspect';
export const emptyPage = 'Chromium, empty page';
export const barePage = 'Chromium, bare page with a script over HTTP';
export const bareInspector = 'bare inspector';

/** The server of `ccmcp` with a store in Redis: it is compared with itself only. */
export const redisSubject: Subject = {
  name: 'ccmcp, Redis',
  kind: 'ours',
  folder: 'ccmcp-redis',
  stdio: [],
  http: ['session', '2026-07-28'],
  packages: ['@ccmcp/core', '@ccmcp/redis'],
};

/** A task from its beginning to its result, and what it is compared with. */
export const taskName = 'a task';
export const taskFloor = 'three calls';

/** A client by `fetch`, beside the one by `node:http` that is the floor. */
export const fetchFloor = 'bare fetch';

/** A client that is measured, in a file of its own inside `peers`. */
export interface ClientSubject {
  readonly name: string;
  readonly kind: Subject['kind'];
  readonly file: string;
  readonly transports: readonly ('stdio' | 'http')[];
  readonly eras: readonly ('handshake' | '2026-07-28')[];
}

const everywhere = ['stdio', 'http'] as const;

/** Which clients take part. Over HTTP the floor is the one by `node:http`: by `fetch`, a request takes four times the work. */
export const clientSubjects: readonly ClientSubject[] = [
  { name: 'bare Node', kind: 'floor', file: 'bare/client.mjs', transports: everywhere, eras: both },
  { name: fetchFloor, kind: 'floor', file: 'bare/client-fetch.mjs', transports: ['http'], eras: both },
  { name: 'ccmcp', kind: 'ours', file: 'ccmcp/client.mjs', transports: everywhere, eras: both },
  { name: 'SDK v1', kind: 'peer', file: 'sdk-1/client.mjs', transports: everywhere, eras: ['handshake'] },
  { name: 'SDK v2', kind: 'peer', file: 'sdk-2/client.mjs', transports: everywhere, eras: both },
];

/** The floor's name, to which the others are compared. */
export const floor = 'bare Node';

/** The floor with requests of the handshake, where the others get the longer ones of 2026-07-28. */
export const shortFloor = 'bare, short';

/** The floor of the start-up written as a CommonJS file, which Node loads faster than ES modules. */
export const commonJsFloor = 'bare Node, CommonJS';

/** The arguments that start a subject's server on stdio. */
export function stdioArguments(folder: string, subject: Subject, tools = 2): string[] {
  return [join(folder, 'peers', subject.folder, 'stdio.mjs'), String(tools)];
}

/** The arguments that start a subject's server on a port. */
export function httpArguments(folder: string, subject: Subject, port: number, mode: HttpMode): string[] {
  return [join(folder, 'peers', subject.folder, 'http.mjs'), String(port), mode, ...(subject.watched ?? [])];
}
