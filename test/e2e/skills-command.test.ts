import { createHash } from 'node:crypto';
import { createServer, resource, type Server } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { skills } from '@ccmcp/core/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../support/ccmcp.ts';
import { onTerminal } from '../support/terminal.ts';

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

/** Runs the command on a server that is closed after the test. */
async function command(server: Server, ...words: string[]) {
  const service = await serveHttp(server, { port: 0 });
  onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
  return run(['skills', service.url, ...words]);
}

/** A server that lists the given skills, valid or not. */
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

  const odd = (): Server =>
    createServer({
      name: 'x',
      version: '1',
      extensions: [
        skills({
          'pdf/SKILL.md': text('pdf'),
          'pdf/a.txt': 'red \u001b]0;title\u0007',
          'pdf/b.bin': new Uint8Array([27, 91, 50, 74, 255]),
        }),
      ],
    });

  it('prints a file as JSON, and unchanged into a pipe', async () => {
    const skill = 'skill://pdf/SKILL.md';
    expect(JSON.parse((await command(odd(), 'pdf', 'a.txt', '--json')).stdout)).toEqual({
      skill,
      file: 'a.txt',
      text: 'red \u001b]0;title\u0007',
    });
    expect(JSON.parse((await command(odd(), 'pdf', 'b.bin', '--json')).stdout)).toEqual({
      skill,
      file: 'b.bin',
      blob: 'G1sySv8=',
    });
    expect((await command(odd(), 'pdf', 'a.txt')).stdout).toBe('red \u001b]0;title\u0007');
  });

  it('escapes control characters of files', async () => {
    const service = await serveHttp(odd(), { port: 0 });
    onTestFinished(() => service.close({ graceMs: 0, lingerMs: 0 }));
    const shown = await onTerminal(['skills', service.url, 'pdf', 'a.txt'], []);
    expect(shown.written).toContain('red \\u001b]0;title\\u0007');
    expect(shown.written).not.toContain('\u001b]');
    const bytes = await onTerminal(['skills', service.url, 'pdf', 'b.bin'], []);
    expect(bytes.written).toContain('[binary data, 5 bytes]');
    expect(bytes.written).not.toContain('\u001b[2J');
  });

  it('does not verify generated files (SH-05)', async () => {
    const made = { ...skillOf('made'), resources: 'dynamic' };
    const server = (): Server =>
      telling([made, skillOf('pdf')], { [made.uri]: text('made'), 'skill://pdf/SKILL.md': text('pdf') });
    const { stdout, code } = await command(server(), '--verify');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'head  skill://made/SKILL.md: made when it is read, so that its head alone can be compared',
        'ok    skill://pdf/SKILL.md',
        '1 of 1 files are what the list tells',
        '',
      ].join('\n'),
    );
    expect((await command(server(), 'made')).stdout).toBe(
      `${made.uri}, made when it is read: nothing but its head can be compared\n\n${text('made')}`,
    );
    const { files } = JSON.parse((await command(server(), '--verify', '--json')).stdout);
    expect(files).toEqual([
      { uri: made.uri, ok: true, dynamic: true },
      { uri: 'skill://pdf/SKILL.md', ok: true },
    ]);
  });

  it('reports files without a URI', async () => {
    const listed = await command(telling([null, { uri: 3 }], {}));
    expect(listed.stdout).toBe(
      '(rejected) an entry without an address: A skill has the address of its SKILL.md\n'.repeat(2),
    );
  });

  it('reports a server without skills, an unknown skill, an unknown file', async () => {
    const none = await command(createServer({ name: 'x', version: '1' }));
    expect(none).toMatchObject({ code: 7, stderr: expect.stringContaining('does not declare the extension') });
    expect(await command(good(), 'pdg')).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('the server has no skill "pdg". Did you mean "pdf"?'),
    });
    for (const path of ['x.md', '../word/SKILL.md', '.env']) {
      expect(await command(good(), 'pdf', path)).toMatchObject({ code: 7, stdout: '' });
    }
  });

  it('skips invalid entries and changed files, and reports them (SH-04, SH-05)', async () => {
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
    expect(listed.stdout).toContain('(rejected) skill://wrong/SKILL.md: "resources" lacks its SKILL.md');
    expect(listed.stdout).not.toContain('\u001b');

    const verified = await command(server(), '--verify');
    expect(verified).toMatchObject({ code: 6, stderr: expect.stringContaining('5 of 6 files are wrong') });
    expect(verified.stdout).toContain('ok    skill://pdf/SKILL.md\n');
    expect(verified.stdout).toContain('WRONG skill://changed/SKILL.md: Its contents differ from the list\n');
    expect(verified.stdout).toContain('WRONG skill://gone/SKILL.md: The server has no such file: Resource not found');

    expect(await command(server(), 'changed')).toMatchObject({ code: 6, stdout: '' });
    expect(await command(server(), 'wrong')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('"resources" lacks its SKILL.md'),
    });
    expect(await command(server(), 'pdf', '--verify')).toMatchObject({ code: 0 });
  });

  it('shows an unlisted skill (SH-02)', async () => {
    const hidden = skillOf('hidden');
    const served = { [hidden.uri]: text('hidden') };
    expect((await command(telling([], served, [hidden]))).stdout).toContain('it may have some all the same');
    expect((await command(telling([], served, [hidden]), hidden.uri)).stdout).toContain('Do it.');
    expect(await command(telling([], served, [hidden]), 'skill://none/SKILL.md')).toMatchObject({ code: 6 });
  });

  it('does not confuse skills of the same name (SH-06)', async () => {
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
