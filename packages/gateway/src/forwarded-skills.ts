import { Buffer } from 'node:buffer';
import type { Operation, Result } from '@ccmcp/core';
import type { Client } from '@ccmcp/core/client';
import { type Skill, skillsClient } from '@ccmcp/core/skills';
import type { Uris } from './lists/uris.ts';

const { id: skillsId } = skillsClient;

/** The maximum skills of one upstream. */
const maxSkills = 10_000;

interface ForwardedSkillsOptions {
  readonly uris: Uris;
  /** Waits until the lists of the upstream are known, up to a timeout. */
  fill(operation: Operation): Promise<unknown> | undefined;
  /** Connects to the upstream if necessary. */
  start(): Promise<Client>;
}

/** The skills of an upstream, as they were last listed. */
export class ForwardedSkills {
  readonly #options: ForwardedSkillsOptions;
  /** Sorted by URI. */
  #skills: readonly Skill[] = [];

  constructor(options: ForwardedSkillsOptions) {
    this.#options = options;
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

  /** Serves `skills/list`. */
  async list(operation: Operation): Promise<Result> {
    await this.#options.fill(operation)?.catch(() => {});
    const { cursor } = operation.params;
    const after = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
    return { skills: this.#skills.filter(({ uri }) => uri > after) };
  }

  /** Serves `skills/get`; undefined if there is no such skill. */
  async get(operation: Operation): Promise<Result | undefined> {
    await this.#options.fill(operation)?.catch(() => {});
    const uri = String(operation.params.uri);
    const known = this.#skills.find((skill) => skill.uri === uri);
    if (known !== undefined) return { skill: known };
    const answer = await this.#request(operation, 'skills/get', uri);
    if (answer === undefined) return undefined;
    const { skill } = answer;
    return { skill: isSkill(skill) ? toPublic(skill, this.#options.uris) : skill };
  }

  /** Serves `resources/directory/read`; undefined if there is no such directory. */
  async readDirectory(operation: Operation): Promise<Result | undefined> {
    const answer = await this.#request(operation, 'resources/directory/read', String(operation.params.uri));
    if (answer === undefined) return undefined;
    const { resources, nextCursor } = answer;
    const entries = (Array.isArray(resources) ? resources : []) as { uri: unknown }[];
    const { uris } = this.#options;
    return {
      resources: entries.map((entry) => ({ ...entry, uri: uris.toPublic(String(entry.uri)) })),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  /** Sends a request upstream, for URIs of this upstream only; undefined if it has no skills. */
  async #request(operation: Operation, method: string, uri: string): Promise<Result | undefined> {
    const { params: given, signal } = operation;
    const client = this.#options.uris.isOwn(uri) ? await this.#options.start() : undefined;
    if (client?.supports(skillsId) !== true) return undefined;
    const { cursor } = given;
    const params = { uri: this.#options.uris.toUpstream(uri), ...(cursor !== undefined && { cursor }) };
    return client.request(method, params, { signal });
  }
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
