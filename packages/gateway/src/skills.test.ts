import { createServer, type Server } from '@ccmcp/core';
import { compose } from '@ccmcp/core/compose';
import type { Client } from '@ccmcp/core/client';
import { type SkillFiles, skills, skillsClient, skillsOf } from '@ccmcp/core/skills';
import { afterEach, describe, expect, it } from 'vitest';
import { clientOf, closeAll, part, pinned, versions } from './fixtures/clients.ts';

afterEach(closeAll);

const whole = { name: 'gateway', version: '1' };

const filesOf = (name: string, of: string): SkillFiles => ({
  [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: A skill of ${of}\n---\nDo as ${of} says.\n`,
  [`${name}/references/more.md`]: `More of ${of}.\n`,
});

const serverWith = (name: string, files: SkillFiles): Server =>
  createServer({ name, version: '1', resources: [], extensions: [skills(files)] });

const cells = versions.flatMap((front) => versions.map((behind) => [front, behind] as const));

describe.each(cells)('skills for a client of %s of upstreams on %s', (front, behind) => {
  const gateway = async (): Promise<Client> => {
    const remote = (name: string) =>
      part(serverWith(name, filesOf('same', name)), { name, prefix: `${name}_`, client: pinned(behind) });
    const own = serverWith('own', filesOf('mine', 'own'));
    const none = part(createServer({ name: 'none', version: '1', tools: [] }), {
      name: 'none',
      client: pinned(behind),
    });
    const server = compose({ b: remote('b'), own, none, a: remote('a') }, whole);
    return clientOf(server, front, { extensions: [skillsClient] });
  };

  it('are in one list, and distinguished by upstream', async () => {
    const client = await gateway();
    const { skills: listed, rejected } = await skillsOf(client).list();
    expect(rejected).toEqual([]);
    expect(listed.map(({ uri }) => uri)).toEqual([
      'skill://a/same/SKILL.md',
      'skill://b/same/SKILL.md',
      'skill://mine/SKILL.md',
    ]);
    for (const skill of listed) {
      expect(await skillsOf(client).get(skill.uri)).toEqual(skill);
      expect((await skillsOf(client).verify(skill)).filter(({ error }) => error !== undefined)).toEqual([]);
    }
  });

  it('have folders', async () => {
    const client = await gateway();
    await skillsOf(client).list();
    expect((await skillsOf(client).folder('skill://b/same')).map(({ uri }) => uri).sort()).toEqual([
      'skill://b/same/SKILL.md',
      'skill://b/same/references',
    ]);
    expect((await skillsOf(client).folder('skill://mine/references')).map(({ uri }) => uri)).toEqual([
      'skill://mine/references/more.md',
    ]);
  });

  it('are rejected if there are none', async () => {
    const client = await gateway();
    await expect(client.request('skills/get', { uri: 'skill://a/other/SKILL.md' })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.request('resources/directory/read', { uri: 'skill://c' })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

it('of a part are listed page by page with those of others', async () => {
  const long = 'x'.repeat(900);
  const many: SkillFiles = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [
      `skill-${index}/SKILL.md`,
      `---\nname: skill-${index}\ndescription: ${long}\n---\nText.\n`,
    ]),
  );
  const other = part(serverWith('other', filesOf('same', 'other')), { name: 'other', prefix: 'other_' });
  const last = part(serverWith('zoo', filesOf('same', 'zoo')), { name: 'zoo', prefix: 'zoo_' });
  const server = compose({ other, many: serverWith('many', many), last }, whole);
  const client = await clientOf(server, '2026-07-28', { extensions: [skillsClient] });
  const { nextCursor } = await client.request('skills/list');
  expect(nextCursor).toBeDefined();
  const { skills: listed } = await skillsOf(client).list();
  expect(new Set(listed.map(({ uri }) => uri)).size).toBe(402);
  expect(listed).toHaveLength(402);
});
