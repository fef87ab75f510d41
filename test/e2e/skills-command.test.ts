import { createHash } from 'node:crypto';
import { createServer, resource, type Server } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { skills } from '@ccmcp/core/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../support/ccmcp.ts';

const text = (name: string): string => `---\nname: ${name}\ndescription: It helps\n---\nDo it.\n`;
const fileOf = (uri: string, contents: string) => ({
  uri,
  digest: `sha256:${createHash('sha256').update(contents).digest('hex')}`,
  size: contents.length,
});
const skillOf = (name: string, folder = name) => {
  const uri = `skill://${folder}/SKILL.md`;
  return { uri, frontmatter: { name, description: 'It helps' }, resources: [fileOf(uri, text(name))] };
};

/** Runs the command against a server that is gone after the test. */
async function command(server: Server, ...words: string[]) {
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return run(['skills', service.url, ...words]);
}

/** A server that tells of skills what it is given, whether it is so or not. */
function telling(entries: unknown[], served: Record<string, string>, unlisted: unknown[] = []): Server {
  const get = ({ params: { uri } }: { params: Record<string, unknown> }) => ({
    skill: [...entries, ...unlisted].find((entry) => (entry as { uri?: unknown }).uri === uri),
  });
  return createServer({
    name: 'x',
    version: '1',
    resources: Object.entries(served).map(([uri, contents]) => resource(uri, {}, () => contents)),
    extensions: [
      {
        id: 'io.modelcontextprotocol/skills',
        methods: { 'skills/list': { serve: () => ({ skills: entries }) }, 'skills/get': { serve: get } },
      },
    ],
  });
}

describe('ccmcp skills', () => {
  const good = (): Server =>
    createServer({
      name: 'x',
      version: '1',
      extensions: [skills({ 'pdf/SKILL.md': text('pdf'), 'pdf/references/FIELDS.md': '# Fields\n' })],
    });

  it('lists skills, shows one, prints a file of it and compares all with the list', async () => {
    expect((await command(good())).stdout).toBe('pdf  2 files, 56 bytes\n    It helps\n');
    const shown = await command(good(), 'pdf');
    expect(shown.stdout).toContain('skill://pdf/SKILL.md, checked: 2 files, 56 bytes\n\n---\nname: pdf');
    expect((await command(good(), 'pdf', 'references/FIELDS.md')).stdout).toBe('# Fields\n');
    const verified = await command(good(), '--verify', '--json');
    expect(JSON.parse(verified.stdout)).toEqual({
      files: [
        { uri: 'skill://pdf/SKILL.md', ok: true },
        { uri: 'skill://pdf/references/FIELDS.md', ok: true },
      ],
      ok: true,
    });
  });

  it('says what is wrong with a server: no skills, no such one, no such file', async () => {
    const none = await command(createServer({ name: 'x', version: '1' }));
    expect(none).toMatchObject({ code: 7, stderr: expect.stringContaining('does not declare the extension') });
    expect(await command(good(), 'pdg')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('The server has no skill "pdg". Did you mean "pdf"?'),
    });
    for (const path of ['x.md', '../word/SKILL.md', '.env']) {
      expect(await command(good(), 'pdf', path)).toMatchObject({ code: 7, stdout: '' });
    }
  });

  it('goes on past entries that are none and files that are others, and says so (SH-04, SH-05)', async () => {
    const changed = skillOf('changed');
    const gone = skillOf('gone');
    const wrong = { ...skillOf('wrong'), resources: [fileOf('skill://other/x.md', '')] };
    const server = (): Server =>
      telling([skillOf('pdf'), changed, gone, wrong, 'none', { uri: 'x\u001b[31m\ny/SKILL.md' }], {
        'skill://pdf/SKILL.md': text('pdf'),
        'skill://changed/SKILL.md': text('changed').replace('Do', 'Be'),
      });
    const listed = await command(server());
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain('(refused) skill://wrong/SKILL.md: "resources" lacks its SKILL.md');
    expect(listed.stdout).not.toContain('\u001b');

    const verified = await command(server(), '--verify');
    expect(verified).toMatchObject({ code: 6, stderr: expect.stringContaining('5 of 6 files are wrong') });
    expect(verified.stdout).toContain('ok    skill://pdf/SKILL.md\n');
    expect(verified.stdout).toContain('WRONG skill://changed/SKILL.md: Its contents are others than the list tells\n');
    expect(verified.stdout).toContain('WRONG skill://gone/SKILL.md: The server gives no such file: Resource not found');

    expect(await command(server(), 'changed')).toMatchObject({ code: 6, stdout: '' });
    expect(await command(server(), 'wrong')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('"resources" lacks its SKILL.md'),
    });
    expect(await command(server(), 'pdf', '--verify')).toMatchObject({ code: 0 });
  });

  it('shows a skill that the server has and does not list (SH-02)', async () => {
    const hidden = skillOf('hidden');
    const served = { [hidden.uri]: text('hidden') };
    expect((await command(telling([], served, [hidden]))).stdout).toContain('it may have some all the same');
    expect((await command(telling([], served, [hidden]), hidden.uri)).stdout).toContain('Do it.');
    expect(await command(telling([], served, [hidden]), 'skill://none/SKILL.md')).toMatchObject({ code: 6 });
  });

  it('lets no skill stand for another of the same name (SH-06)', async () => {
    const both = [skillOf('pdf', 'a/pdf'), skillOf('pdf', 'b/pdf')];
    const served = Object.fromEntries(both.map(({ uri }) => [uri, text('pdf')]));
    expect(await command(telling(both, served), 'pdf')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/2 skills that are named "pdf"[^]*skill:\/\/a\/pdf\/SKILL.md, skill:\/\/b\/pdf/),
    });
    const named = await command(telling(both, served), 'skill://b/pdf/SKILL.md');
    expect(named.stdout).toContain('skill://b/pdf/SKILL.md, checked');
  });
});
