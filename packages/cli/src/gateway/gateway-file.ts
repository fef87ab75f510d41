import type { LockedServer } from '@ccmcp/core/contracts';
import type { RemoteGroup } from '@ccmcp/gateway';
import { defaultLock } from '../client/connection/default-lock.ts';
import { Failure } from '../command/failure.ts';
import { didYouMean } from '../command/suggest.ts';
import { readConfigFile } from '../config/file/config-file.ts';
import { isRecord } from '../system/record.ts';
import { json, type JsonNode, parseNodes } from '../config/file/json.ts';
import { ConfigSyntaxError, positionOf } from '../config/file/syntax.ts';
import { hasCredentials, readEntry, type ServerEntry } from '../config/server-entry.ts';
import { resolveStart } from '../config/start-command.ts';
import type { Location } from '../system/environment.ts';
import { dirname, resolve } from 'node:path';
import { checkFeature, fileFeatures, type GatewayFeatures, isFeature, readFeature } from './file-features.ts';
import { checkGroups, type FileGroups, groupOf, ownGroup } from './file-groups.ts';
import { resolveReferences } from './references.ts';

/** An upstream as the file describes it, with all references resolved: plain data, so that two can be compared. */
export interface UpstreamSettings {
  entry: ServerEntry;
  /** It is reached by the HTTP+SSE transport of the first revision. */
  sse: boolean;
  /** The source of its credentials: a stored login, one login per caller, or only its headers. */
  auth: 'login' | 'user' | 'none';
  prefix?: string;
  uriPrefix?: string;
  allow?: string[];
  deny?: string[];
  rename?: Record<string, string>;
  describe?: Record<string, string>;
  toolArgs?: Record<string, Record<string, unknown>>;
  timeoutMs?: number;
  /** The protocol revision. Default: the newest. */
  version?: string;
  /** The approved definitions; what differs is held back. */
  lock?: LockedServer;
  group?: RemoteGroup;
}

/** An error in a file. */
export interface Mistake {
  /** The server that can't be used because of it. Absent: it affects the whole file. */
  server?: string;
  /** A sentence that begins with `FILE:LINE:COLUMN`. */
  message: string;
}

/** The content of a gateway file. */
export interface GatewayFile {
  upstreams: Map<string, UpstreamSettings>;
  /** What it switches on for all of them. */
  features: GatewayFeatures;
  mistakes: Mistake[];
  /** The locks that it names. */
  lockFiles: string[];
}

/** Reads a file. A server with an error is omitted. Throws if nothing of the file can be used. */
export async function readGatewayFile(path: string, location: Location): Promise<GatewayFile> {
  const file = readConfigFile(path);
  if (file.bytes === undefined) throw new Failure('usage', `There is no file ${path}`);
  const reader = new FileReader(path, file.text, { ...location, cwd: dirname(file.path) });
  return reader.read();
}

/** Members of an entry that only its client reads. */
const ofClients = new Set(
  'autoApprove alwaysAllow trust description name source gallery icon enabled_tools startup_timeout_sec tool_timeout_sec'.split(
    ' ',
  ),
);

/** Says what is wrong with a value. */
type Check = (value: unknown) => string | undefined | Promise<string | undefined>;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string') ? undefined : 'must be a list of texts';
const namedTexts: Check = (value) =>
  isRecord(value) && Object.values(value).every((each) => typeof each === 'string')
    ? undefined
    : 'must be an object with texts';
const scalars: Check = (value) =>
  isRecord(value) && Object.values(value).every((each) => /string|number|boolean/.test(typeof each))
    ? undefined
    : 'must be an object with texts';
const namedRecords: Check = (value) =>
  isRecord(value) && Object.values(value).every(isRecord)
    ? undefined
    : 'must be an object with the arguments of each tool, such as { "search": { "limit": 10 } }';
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const url: Check = (value) => {
  const isUrl = typeof value === 'string' && (value.includes('${') || /^https?:\/\//.test(value));
  return isUrl ? undefined : 'must be an address that begins with http:// or https://';
};

const types = ['stdio', 'http', 'streamable-http', 'streamable_http', 'sse', 'local', 'remote'];

const authKinds: readonly UpstreamSettings['auth'][] = ['login', 'user', 'none'];

/** The members of a server in the file. */
const members: Readonly<Record<string, Check>> = {
  command: (value) =>
    texts([value].flat()) === undefined && value !== '' ? undefined : 'must be a text: the program to start',
  args: (value) =>
    texts(value) &&
    `must be a list of texts, for the command${isRecord(value) ? '; fixed arguments of tools are "toolArgs"' : ''}`,
  env: scalars,
  envFile: text,
  cwd: text,
  url,
  httpUrl: url,
  serverUrl: url,
  headers: namedTexts,
  type: (value) => (types.includes(value as string) ? undefined : `must be one of ${types.join(', ')}`),
  disabled: flag,
  enabled: flag,
  prefix: text,
  uriPrefix: (value) =>
    value === '' || (typeof value === 'string' && /^[A-Za-z][A-Za-z0-9.-]*\+$/.test(value))
      ? undefined
      : 'must be letters, digits, "." or "-", and a "+" at its end, such as "files+"',
  allow: texts,
  deny: texts,
  rename: namedTexts,
  describe: namedTexts,
  toolArgs: namedRecords,
  timeout: (value) => {
    const isSeconds = typeof value === 'number' && value >= 0.1 && value <= 3600;
    return isSeconds ? undefined : 'must be a number of seconds from 0.1 to 3600';
  },
  version: async (value) => {
    const versions = await revisions();
    return versions.includes(value as string) ? undefined : `must be a protocol revision: ${versions.join(', ')}`;
  },
  pin: async (value) => {
    if ((await revisions()).includes(value as string))
      return 'is a lock of definitions: the protocol revision is "version"';
    const isPath = typeof value === 'string' && value !== '';
    return isPath || typeof value === 'boolean' ? undefined : `must be true, for ${defaultLock}, or the path of a lock`;
  },
  auth: (value) =>
    authKinds.includes(value as UpstreamSettings['auth'])
      ? undefined
      : 'must be "login" (that of "ccmcp login URL", which is the default), "user" (each caller signs in) or "none"',
};

async function revisions(): Promise<string[]> {
  const { protocolVersions } = await import('@ccmcp/core/client');
  return protocolVersions.map(({ version }) => version);
}

class MistakeError extends Error {
  constructor(
    readonly node: JsonNode,
    message: string,
  ) {
    super(message);
  }
}

class FileReader {
  readonly #path: string;
  readonly #text: string;
  readonly #location: Location;
  readonly #mistakes: Mistake[] = [];
  readonly #lockFiles = new Set<string>();

  constructor(path: string, content: string, location: Location) {
    this.#path = path;
    this.#text = content;
    this.#location = location;
  }

  async read(): Promise<GatewayFile> {
    const root = this.#parse();
    const table = propertiesOf(root).find(({ key }) => key === 'mcpServers');
    if (table?.value.type !== 'object') {
      throw new Error(
        this.#at(
          table?.node ?? root,
          'the file needs an object "mcpServers" with the servers, as in the files of clients',
        ),
      );
    }
    const features = this.#readFeatures(root);
    const groups = this.#readGroups(root);
    const groupNames = new Set([ownGroup.name]);
    const upstreams = new Map<string, UpstreamSettings>();
    const seen = new Set<string>();
    for (const { key, node, value } of propertiesOf(table.value)) {
      try {
        if (seen.has(key)) throw new MistakeError(node, 'there is a server of this name already');
        seen.add(key);
        const settings = await this.#readServer(key, node, value);
        if (settings === undefined) continue;
        const group = findGroup(node, () => groupOf(groups, key, groupNames));
        upstreams.set(key, { ...settings, ...(group && { group }) });
      } catch (error) {
        if (!(error instanceof MistakeError)) throw error;
        const message = this.#at(error.node, `server "${brief(key)}": ${error.message}`);
        this.#mistakes.push({ server: key, message });
      }
    }
    // A duplicate name is invalid.
    for (const { server = '' } of this.#mistakes) upstreams.delete(server);
    return { upstreams, features, mistakes: this.#mistakes, lockFiles: [...this.#lockFiles] };
  }

  /** What the members beside "mcpServers" switch on. One with a mistake is ignored. */
  #readFeatures(root: JsonNode): GatewayFeatures {
    const features: GatewayFeatures = {};
    for (const { key, node, value } of propertiesOf(root)) {
      if (key === 'mcpServers' || key === '$schema' || key === 'groups') continue;
      if (!isFeature(key)) {
        const meant = didYouMean(key, ['groups', ...Object.keys(fileFeatures)]);
        this.#mistakes.push({ message: this.#at(node, `"${brief(key)}" is not known here, and is ignored.${meant}`) });
        continue;
      }
      const problem = checkFeature(key, valueOf(value));
      if (problem === undefined) Object.assign(features, readFeature(key, valueOf(value)));
      else this.#mistakes.push({ message: this.#at(value, `"${key}" ${problem}; it is ignored`) });
    }
    return features;
  }

  #readGroups(root: JsonNode): FileGroups {
    const found = propertiesOf(root).findLast(({ key }) => key === 'groups');
    if (found === undefined) return false;
    const groups = valueOf(found.value);
    const problem = checkGroups(groups);
    if (problem === undefined) return groups as FileGroups;
    this.#mistakes.push({ message: this.#at(found.value, `"groups" ${problem}; it is ignored`) });
    return false;
  }

  #parse(): JsonNode {
    try {
      const root = parseNodes(this.#text);
      if (root === undefined) throw new Error(`${this.#path} is empty: it needs { "mcpServers": { … } }`);
      json.read(this.#text);
      return root;
    } catch (error) {
      if (!(error instanceof ConfigSyntaxError)) throw error;
      const problem = error.message.replace(/^line \d+, column \d+: /, '');
      throw new Error(`${this.#path}:${error.line}:${error.column}: ${problem}`, { cause: error });
    }
  }

  /** The settings of a server; undefined if it is disabled. */
  async #readServer(name: string, node: JsonNode, value: JsonNode): Promise<UpstreamSettings | undefined> {
    if (name === '') throw new MistakeError(node, 'a name must not be empty');
    if (value.type !== 'object') throw new MistakeError(value, 'must be an object with a "command" or a "url"');
    const properties = propertiesOf(value);
    const nodeOf = (key: string): JsonNode => properties.find((each) => each.key === key)?.node ?? node;
    for (const { key, node: member, value: given } of properties) {
      const check = Object.hasOwn(members, key) ? members[key] : undefined;
      if (check === undefined && !ofClients.has(key)) {
        throw new MistakeError(member, `"${brief(key)}" is not known.${didYouMean(key, Object.keys(members))}`);
      }
      const problem = await check?.(valueOf(given));
      if (problem !== undefined) throw new MistakeError(given, `"${key}" ${problem}`);
    }
    const fields = valueOf(value) as Record<string, unknown>;
    const read = readEntry(fields);
    if (read === undefined) throw new MistakeError(node, 'has neither a "command" nor a "url"');
    if ('command' in fields && read.kind === 'http') {
      throw new MistakeError(nodeOf('command'), 'has a "command" and a "url": leave one out');
    }
    if (fields.auth === 'user' && (read.kind !== 'http' || hasCredentials(read.headers))) {
      const message = '"auth": "user" is for a server with a "url" and without credentials in its "headers"';
      throw new MistakeError(nodeOf('auth'), message);
    }
    const { disabled, ...entry } = read;
    if (disabled) return undefined;
    const resolved = await this.#resolve(entry, nodeOf);
    const lock = await this.#readLock(name, fields.pin, nodeOf('pin'));
    return {
      entry: resolved,
      sse: fields.type === 'sse',
      auth: (fields.auth as UpstreamSettings['auth'] | undefined) ?? 'login',
      ...pick(fields, ['prefix', 'uriPrefix', 'allow', 'deny', 'rename', 'describe', 'toolArgs', 'version']),
      ...(typeof fields.timeout === 'number' && { timeoutMs: fields.timeout * 1000 }),
      ...(lock && { lock }),
    };
  }

  /** The approved definitions of a server that is pinned. */
  async #readLock(name: string, pin: unknown, node: JsonNode): Promise<LockedServer | undefined> {
    if (pin === undefined || pin === false) return undefined;
    const path = resolve(this.#location.cwd, pin === true ? defaultLock : (pin as string));
    this.#lockFiles.add(path);
    const { readLockedServer } = await import('../client/connection/lock-file.ts');
    try {
      return await readLockedServer(path, name);
    } catch (error) {
      throw new MistakeError(node, `"pin": ${(error as Error).message}`);
    }
  }

  /** Resolves the references of an entry, and finds its program. */
  async #resolve(entry: ServerEntry, nodeOf: (key: string) => JsonNode): Promise<ServerEntry> {
    const sources = { ...this.#location, folder: this.#location.cwd };
    const fill = async (given: string, key: string): Promise<string> => {
      try {
        return await resolveReferences(given, sources);
      } catch (error) {
        throw new MistakeError(nodeOf(key), `"${key}": ${(error as Error).message}`);
      }
    };
    const fillAll = async (given: Record<string, string>, key: string): Promise<Record<string, string>> => {
      const filled = Object.entries(given).map(async ([name, each]) => [name, await fill(each, key)] as const);
      return Object.fromEntries(await Promise.all(filled));
    };
    if (entry.kind === 'http') {
      const key = ['url', 'httpUrl', 'serverUrl'].find((each) => nodeOf(each) !== nodeOf('')) ?? 'url';
      const address = await fill(entry.url, key);
      if (!URL.canParse(address)) throw new MistakeError(nodeOf(key), `"${key}" is no address`);
      return { kind: 'http', url: address, headers: await fillAll(entry.headers, 'headers') };
    }
    const filled = {
      ...entry,
      command: await fill(entry.command, 'command'),
      args: await Promise.all(entry.args.map(async (each) => fill(each, 'args'))),
      env: await fillAll(entry.env, 'env'),
      ...(entry.cwd !== undefined && { cwd: await fill(entry.cwd, 'cwd') }),
      ...(entry.envFile !== undefined && { envFile: await fill(entry.envFile, 'envFile') }),
    };
    try {
      const { command, args, cwd, env } = resolveStart(filled, this.#location);
      return { kind: 'stdio', command, args: [...args], cwd, env };
    } catch (error) {
      throw new MistakeError(nodeOf('command'), (error as Error).message);
    }
  }

  #at(node: JsonNode, message: string): string {
    const { line, column } = positionOf(this.#text, node.offset);
    return `${this.#path}:${line}:${column}: ${message}`;
  }
}

function findGroup(node: JsonNode, find: () => RemoteGroup | undefined): RemoteGroup | undefined {
  try {
    return find();
  } catch (error) {
    throw new MistakeError(node, (error as Error).message);
  }
}

interface Property {
  key: string;
  /** The key and the value. */
  node: JsonNode;
  value: JsonNode;
}

function propertiesOf(object: JsonNode): Property[] {
  if (object.type !== 'object') return [];
  return (object.children ?? []).flatMap((node) => {
    const [key, value] = node.children ?? [];
    return key === undefined || value === undefined ? [] : [{ key: String(key.value), node, value }];
  });
}

function valueOf(node: JsonNode): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  return Object.fromEntries(propertiesOf(node).map(({ key, value }) => [key, valueOf(value)]));
}

function pick(fields: Record<string, unknown>, names: readonly string[]): Partial<UpstreamSettings> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

function brief(key: string): string {
  return key.slice(0, 100);
}
