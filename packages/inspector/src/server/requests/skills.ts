import type { Client } from '@ccmcp/core/client';
import type { RemoteSkills, Skill } from '@ccmcp/core/skills';
import type { ListedSkill, ReadSkill } from '../../shared/lists.ts';
import { RequestError } from '../targets.ts';
import { type Handlers, id, object, text } from './handler.ts';

const skillsId = 'io.modelcontextprotocol/skills';

/** Handlers of skills. The skills client is loaded on first use, as it includes a YAML parser. */
export const skillRequests: Handlers<'skills' | 'skill'> = {
  skills: {
    schema: object({ connection: id }),
    async run({ connection }, { connections, log }) {
      const remote = await remoteSkills(connections.get(connection).client);
      const { skills, rejected } = await remote.list();
      const found = {
        skills: skills.map(toListedSkill),
        rejected: rejected.map(({ uri, message }) => ({ uri, message })),
      };
      log.add('skills', { connection, ...found });
      return found;
    },
  },
  skill: {
    schema: object({ connection: id, uri: text }),
    async run({ connection, uri }, { connections, log }) {
      const read = await readSkill(connections.get(connection).client, uri);
      log.add('skill', { connection, uri, ...read });
      return read;
    },
  },
};

async function remoteSkills(client: Client): Promise<RemoteSkills> {
  if (!client.supports(skillsId)) throw new RequestError('This server has no skills', undefined, 409);
  const { skillsOf } = await import('@ccmcp/core/skills');
  return skillsOf(client);
}

async function readSkill(client: Client, uri: string): Promise<ReadSkill> {
  const { SkillError } = await import('@ccmcp/core/skills');
  const remote = await remoteSkills(client);
  const skill = await remote.get(uri).catch((error: unknown) => {
    throw error instanceof SkillError ? new RequestError(error.message, undefined, 502) : error;
  });
  const verdicts = skill.resources === 'dynamic' ? [] : await remote.verify(skill);
  const files = verdicts.map(({ uri: file, error }) => ({ uri: file, ...(error && { problem: error.message }) }));
  try {
    const { instructions } = await remote.load(skill);
    return { instructions, files };
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    const others = files.filter((file) => file.uri !== error.uri);
    return { files: [{ uri: error.uri, problem: error.message }, ...others] };
  }
}

function toListedSkill({ uri, frontmatter, resources }: Skill): ListedSkill {
  if (resources === 'dynamic') return { uri, frontmatter };
  return {
    uri,
    frontmatter,
    files: resources.map(({ uri: file, size, digest }) => ({ uri: file, bytes: size, digest })),
  };
}
