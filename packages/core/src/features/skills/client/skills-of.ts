import type { Client } from '../../../client/client.ts';
import type { ClientExtension } from '../../../client/extension.ts';
import { ResultError } from '../../../client/errors.ts';
import { createListing } from '../../../client/calls/paged-list.ts';
import type { RequestOptions } from '../../../client/request-options.ts';
import type { ResourceListing } from '../../../protocol/listing.ts';
import { ProtocolError } from '../../../jsonrpc/errors.ts';
import { isObject } from '../../../jsonrpc/message.ts';
import { type Skill, skillsId } from '../skill.ts';
import { parseSkill, SkillError } from './parse-skill.ts';
import { type LoadedSkill, loadSkill, readFile } from './loaded-skill.ts';

/** For `extensions` of `connect`: declares that this client supports skills. */
export const skillsClient: ClientExtension = { id: skillsId };

/** The skills of one server. */
export interface RemoteSkills {
  /** The listed skills, and why others in the list are invalid. The server may have more, which `get` finds. */
  list(options?: RequestOptions): Promise<SkillList>;
  /** The skill with this `SKILL.md` URI. */
  get(uri: string, options?: RequestOptions): Promise<Skill>;
  /** Reads and verifies the instructions of a skill. Its other files are read on demand. */
  load(skill: Skill, options?: RequestOptions): Promise<LoadedSkill>;
  /** The entries of a skill's folder, if the server supports that. */
  folder(uri: string, options?: RequestOptions): Promise<ResourceListing[]>;
  /** Reads all files of a skill and verifies each against the list. */
  verify(skill: Skill, options?: RequestOptions): Promise<FileVerdict[]>;
}

/** The skills that a server lists. */
export interface SkillList {
  readonly skills: readonly Skill[];
  readonly rejected: readonly SkillError[];
}

/** The verdict on one file. */
export interface FileVerdict {
  readonly uri: string;
  /** The problem; undefined if the file matches the list. */
  readonly error: SkillError | undefined;
}

/** The skills of a client's server. Everything is fetched lazily. */
export function skillsOf(client: Client): RemoteSkills {
  const settings = (): object => {
    const declared = client.capabilities.extensions?.[skillsId];
    if (declared === undefined) throw new TypeError('This server has no skills: it does not declare the extension');
    if (client.supports(skillsId)) return declared;
    throw new TypeError('This client does not declare skills: connect with extensions: [skillsClient]');
  };
  return {
    async list(options) {
      settings();
      const fetched = createListing<unknown>('skills', (cursor) =>
        client.request('skills/list', cursor === undefined ? undefined : { cursor }, options),
      );
      return parseEntries(await fetched.all());
    },
    async get(uri, options) {
      settings();
      const { skill } = await client.request('skills/get', { uri }, options);
      const found = parseSkill(skill);
      if (found.uri !== uri) throw new SkillError('The server returned another skill', 'entry', uri);
      return found;
    },
    load: (skill, options) => loadSkill(client, skill, options),
    async folder(uri, options) {
      const { directoryRead } = settings() as { directoryRead?: unknown };
      if (directoryRead !== true) throw new TypeError('This server does not support reading folders');
      const fetched = createListing<unknown>('resources', (cursor) =>
        client.request('resources/directory/read', { uri, ...(cursor !== undefined && { cursor }) }, options),
      );
      const all = await fetched.all();
      if (all.every(isListing)) return all;
      throw new ResultError('The server returned a folder entry without a URI', { resources: all });
    },
    verify: (skill, options) => verifySkill(client, skill, options),
  };
}

function parseEntries(entries: readonly unknown[]): SkillList {
  const skills: Skill[] = [];
  const rejected: SkillError[] = [];
  const known = new Set<string>();
  for (const entry of entries) {
    try {
      const skill = parseSkill(entry);
      if (known.has(skill.uri)) throw new SkillError('It is listed twice: the first entry counts', 'entry', skill.uri);
      known.add(skill.uri);
      skills.push(skill);
    } catch (error) {
      if (!(error instanceof SkillError)) throw error;
      rejected.push(error);
    }
  }
  return { skills, rejected };
}

async function verifySkill(client: Client, skill: Skill, options?: RequestOptions): Promise<FileVerdict[]> {
  const head = await checkFile(skill.uri, () => loadSkill(client, skill, options));
  if (skill.resources === 'dynamic') return [head];
  const others = skill.resources.filter(({ uri }) => uri !== skill.uri);
  const verdicts = [head];
  for (const { uri } of others) verdicts.push(await checkFile(uri, () => readFile(client, skill, uri, options)));
  return verdicts;
}

async function checkFile(uri: string, check: () => Promise<unknown>): Promise<FileVerdict> {
  try {
    await check();
    return { uri, error: undefined };
  } catch (error) {
    if (error instanceof SkillError) return { uri, error };
    if (!(error instanceof ProtocolError || error instanceof ResultError)) throw error;
    return {
      uri,
      error: new SkillError(`The server has no such file: ${error.message}`, 'unreadable', uri, { cause: error }),
    };
  }
}

function isListing(entry: unknown): entry is ResourceListing {
  return isObject(entry) && typeof entry.uri === 'string' && typeof entry.name === 'string';
}
