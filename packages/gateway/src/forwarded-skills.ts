import { Buffer } from 'node:buffer';
import {
  ErrorCode,
  type ExtensionMethod,
  type Operation,
  ProtocolError,
  type Result,
  type ServerExtension,
} from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import type { Skill } from '@ccmcp/core/skills';
import type { Uris } from './uris.ts';

/** The id of the skills extension. */
const skillsId = 'io.modelcontextprotocol/skills';

/** The maximum skills of one upstream. */
const maxSkills = 10_000;

interface ForwardedSkillsOptions {
  readonly uris: Uris;
  /** Waits until the lists of the upstream are known, up to a timeout. */
  fill(operation: Operation): Promise<unknown> | undefined;
  /** Connects to the upstream if necessary. */
  start(): Promise<Client>;
}

/** The skills of an upstream: its last list, and the extension that serves it. */
export class ForwardedSkills {
  readonly extension: ServerExtension;
  readonly #options: ForwardedSkillsOptions;
  /** Sorted by URI. */
  #skills: readonly Skill[] = [];

  constructor(options: ForwardedSkillsOptions) {
    this.#options = options;
    const known = { servesEveryone: true, caches: true };
    this.extension = {
      id: skillsId,
      settings: { directoryRead: true },
      methods: {
        'skills/list': { ...known, serve: (operation) => this.#list(operation) },
        'skills/get': { ...known, serve: (operation) => this.#get(operation) },
        'resources/directory/read': { servesEveryone: true, serve: (operation) => this.#readDirectory(operation) },
      },
      join: joinOnDemand,
    };
  }

  /** Reads the skills of the upstream. Returns rows for their files, which are read as resources. */
  async read(client: Client): Promise<object[]> {
    if (!client.supports(skillsId)) {
      this.#skills = [];
      return [];
    }
    const { uris } = this.#options;
    const listed = await listAll(client);
    this.#skills = listed.map((skill) => toPublic(skill, uris)).sort((one, other) => (one.uri < other.uri ? -1 : 1));
    return listed.flatMap(({ uri, resources }) => [
      { uri, listed: false },
      ...(resources === 'dynamic' ? [] : resources.map((file) => ({ uri: file.uri, size: file.size, listed: false }))),
    ]);
  }

  async #list(operation: Operation): Promise<Result> {
    await this.#options.fill(operation)?.catch(() => {});
    const { cursor } = operation.params;
    const after = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
    return { skills: this.#skills.filter(({ uri }) => uri > after) };
  }

  async #get(operation: Operation): Promise<Result> {
    await this.#options.fill(operation)?.catch(() => {});
    const uri = String(operation.params.uri);
    const known = this.#skills.find((skill) => skill.uri === uri);
    if (known !== undefined) return { skill: known };
    const { skill } = await this.#request(operation, 'skills/get', uri);
    return { skill: isSkill(skill) ? toPublic(skill, this.#options.uris) : skill };
  }

  async #readDirectory(operation: Operation): Promise<Result> {
    const { resources, nextCursor } = await this.#request(
      operation,
      'resources/directory/read',
      String(operation.params.uri),
    );
    const entries = (Array.isArray(resources) ? resources : []) as { uri: unknown }[];
    const { uris } = this.#options;
    return {
      resources: entries.map((entry) => ({ ...entry, uri: uris.toPublic(String(entry.uri)) })),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  /** Sends a request upstream, for URIs of this upstream only. */
  async #request({ params: { cursor }, signal }: Operation, method: string, uri: string): Promise<Result> {
    const client = this.#options.uris.isOwn(uri) ? await this.#options.start() : undefined;
    if (client?.supports(skillsId) !== true) {
      throw new ProtocolError(ErrorCode.InvalidParams, `There is no skill at ${JSON.stringify(uri.slice(0, 200))}`);
    }
    const params = { uri: this.#options.uris.toUpstream(uri), ...(cursor !== undefined && { cursor }) };
    return client.request(method, params, { signal });
  }
}

/** Joins the skills of the parts of a composed server, with code that is loaded when they are first requested. */
function joinOnDemand(parts: readonly ServerExtension[]): ServerExtension {
  const [first] = parts as [ServerExtension];
  const load = async (): Promise<ServerExtension> => (await import('@ccmcp/core/skills')).joinSkills(parts);
  let joined: Promise<ServerExtension> | undefined;
  const methods = Object.entries(first.methods ?? {}).map(([name, method]) => {
    const serve: ExtensionMethod['serve'] = async (operation) => {
      joined ??= load();
      return ((await joined).methods?.[name] ?? method).serve(operation);
    };
    return [name, { ...method, serve }];
  });
  return { ...first, methods: Object.fromEntries(methods) as Record<string, ExtensionMethod> };
}

async function listAll(client: Client): Promise<Skill[]> {
  const skills: Skill[] = [];
  const cursors = new Set<unknown>();
  for (let cursor: unknown; skills.length < maxSkills; ) {
    const page = await client.request('skills/list', cursor === undefined ? undefined : { cursor });
    skills.push(...(Array.isArray(page.skills) ? page.skills.filter(isSkill) : []));
    cursor = page.nextCursor;
    if (typeof cursor !== 'string' || cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return skills;
}

function isSkill(value: unknown): value is Skill {
  const { uri, resources } = (value ?? {}) as Partial<Skill>;
  const isFile = (file: unknown): boolean => typeof (file as { uri?: unknown } | null)?.uri === 'string';
  return typeof uri === 'string' && (resources === 'dynamic' || (Array.isArray(resources) && resources.every(isFile)));
}

function toPublic(skill: Skill, uris: Uris): Skill {
  const { uri, resources } = skill;
  return {
    ...skill,
    uri: uris.toPublic(uri),
    resources:
      resources === 'dynamic' ? resources : resources.map((file) => ({ ...file, uri: uris.toPublic(file.uri) })),
  };
}
