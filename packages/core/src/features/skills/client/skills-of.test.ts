import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createServer, resource } from '../../../index.ts';
import {
  type Skill,
  SkillError,
  type SkillFile,
  skills,
  skillsClient,
  skillsOf,
  type RemoteSkills,
} from '../../../skills.ts';
import { testClient, type TestClient } from '../../../testing.ts';

const text = '---\nname: pdf\ndescription: Read forms\n---\nDo it.\n';
const fields = '# Fields\n';
const uri = 'skill://pdf/SKILL.md';
const fieldsUri = 'skill://pdf/references/FIELDS.md';
const digest = (bytes: string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const entry: Skill = {
  uri,
  frontmatter: { name: 'pdf', description: 'Read forms' },
  resources: [
    { uri, digest: digest(text), size: text.length },
    { uri: fieldsUri, digest: digest(fields), size: fields.length },
  ],
};

/** A server with the given list of skills. */
async function telling(entries: unknown[], served: Record<string, string> = { [uri]: text, [fieldsUri]: fields }) {
  const server = createServer({
    name: 'x',
    version: '1',
    resources: Object.entries(served).map(([at, contents]) => resource(at, {}, () => contents)),
    extensions: [
      {
        id: 'io.modelcontextprotocol/skills',
        methods: {
          'skills/list': { serve: () => ({ skills: entries }) },
          'skills/get': { serve: () => ({ skill: entries[0] }) },
        },
      },
    ],
  });
  const client = await testClient(server, { extensions: [skillsClient] });
  return { client, remote: skillsOf(client) };
}

const readsOf = ({ transcript }: TestClient): string[] =>
  transcript.lines.flatMap(({ message }) =>
    'method' in message && message.method === 'resources/read' ? [String(message.params?.uri)] : [],
  );

describe.each(['handshake', 'stateless'] as const)('skills of a server in the %s era', (era) => {
  async function ours(): Promise<{ client: TestClient; remote: RemoteSkills }> {
    const extensions = [skills({ 'pdf/SKILL.md': text, 'pdf/references/FIELDS.md': fields })];
    const server = createServer({ name: 'x', version: '1', extensions });
    const client = await testClient(server, { era, extensions: [skillsClient] });
    return { client, remote: skillsOf(client) };
  }

  it('can be listed and fetched without reading a file (SH-03)', async () => {
    const { client, remote } = await ours();
    expect(await remote.list()).toEqual({ skills: [entry], rejected: [] });
    expect(await remote.get(uri)).toEqual(entry);
    expect(readsOf(client)).toEqual([]);
  });

  it('load their instructions first, and other files on demand (SH-03, SH-04)', async () => {
    const { client, remote } = await ours();
    const loaded = await remote.load(entry);
    expect(loaded).toMatchObject({ skill: entry, text, instructions: 'Do it.\n' });
    expect(readsOf(client)).toEqual([uri]);
    expect(new TextDecoder().decode(await loaded.read('references/FIELDS.md'))).toBe(fields);
    expect(new TextDecoder().decode(await loaded.read(fieldsUri))).toBe(fields);
    expect((await remote.folder('skill://pdf')).map(({ name }) => name)).toEqual(['SKILL.md', 'references']);
    expect(await remote.verify(entry)).toEqual([
      { uri, error: undefined },
      { uri: fieldsUri, error: undefined },
    ]);
  });
});

describe('a skill that differs from its list entry', () => {
  const other = `${text.slice(0, -2)}!\n`;
  const renamed = { ...entry, frontmatter: { ...entry.frontmatter, license: 'MIT' } };

  it.each([
    ['other bytes', entry, { [uri]: other }, 'digest'],
    ['more bytes', entry, { [uri]: `${text} ` }, 'size'],
    ['another head', renamed, { [uri]: text }, 'frontmatter'],
  ])('is not loaded: %s (SH-04)', async (_, skill, served, problem) => {
    const { client, remote } = await telling([skill], { ...served, [fieldsUri]: fields });
    await expect(remote.load(skill)).rejects.toMatchObject({ name: 'SkillError', problem, uri });
    expect(readsOf(client)).toEqual([uri]);
  });

  it('is unusable after one of its files was wrong (SH-04)', async () => {
    const { client, remote } = await telling([entry], { [uri]: text, [fieldsUri]: '# Fieldz\n' });
    const loaded = await remote.load(entry);
    await expect(loaded.read('references/FIELDS.md')).rejects.toMatchObject({ problem: 'digest' });
    await expect(loaded.read('SKILL.md')).rejects.toMatchObject({ problem: 'digest', uri: fieldsUri });
    expect(readsOf(client)).toEqual([uri, fieldsUri]);
    expect(await remote.verify(entry)).toMatchObject([{ error: undefined }, { error: { problem: 'digest' } }]);
  });

  it('has no files besides the listed ones (SH-04)', async () => {
    const { client, remote } = await telling([entry], { [uri]: text, 'skill://pdf/x.md': 'x' });
    const loaded = await remote.load(entry);
    await expect(loaded.read('x.md')).rejects.toMatchObject({ problem: 'unlisted' });
    await expect(loaded.read('../other/SKILL.md')).rejects.toMatchObject({ problem: 'unlisted' });
    expect(readsOf(client)).toEqual([uri]);
  });

  it('can be read by its own paths, however the server encodes them (SH-04)', async () => {
    const odd = 'skill://pdf/a@b,(c)%20d.md';
    const listed: Skill = {
      ...entry,
      resources: [...(entry.resources as SkillFile[]), { uri: odd, digest: digest('x'), size: 1 }],
    };
    const { remote } = await telling([listed], { [uri]: text, [fieldsUri]: fields, [odd]: 'x' });
    const loaded = await remote.load(listed);
    expect(new TextDecoder().decode(await loaded.read('a@b,(c) d.md'))).toBe('x');
    await expect(loaded.read('a\uD800')).rejects.toMatchObject({ problem: 'unlisted' });
  });

  it('reports a verdict for a file that is missing or is not a file (SH-04)', async () => {
    const { remote } = await telling([entry], { [uri]: text });
    expect(await remote.verify(entry)).toMatchObject([
      { error: undefined },
      { uri: fieldsUri, error: { problem: 'unreadable' } },
    ]);
  });

  it.each([
    '../word/SKILL.md',
    'skill://pdf/../word/SKILL.md',
    'skill://pdf/%2e%2e/word/SKILL.md',
    'skill://pdf/a/..%2f..%2fb',
    '',
  ])('has no file at %j, though its files are made when they are read (SH-04, SH-05)', async (path) => {
    const dynamic: Skill = { ...entry, resources: 'dynamic' };
    const { client, remote } = await telling([dynamic]);
    const loaded = await remote.load(dynamic);
    await expect(loaded.read(path)).rejects.toMatchObject({ problem: 'unlisted' });
    expect(readsOf(client)).toEqual([uri]);
  });

  it('fails to load if its frontmatter would overflow the stack (SH-04)', async () => {
    const deep = `---\nname: pdf\ndescription: Read forms\nx: ${'['.repeat(20_000)}\n---\n`;
    const skill: Skill = { ...entry, resources: [{ uri, digest: digest(deep), size: deep.length }] };
    const { remote } = await telling([skill], { [uri]: deep });
    await expect(remote.load(skill)).rejects.toMatchObject({ problem: 'frontmatter' });
  });

  it('may be generated: then only its frontmatter is compared (SH-05)', async () => {
    const dynamic: Skill = { ...entry, resources: 'dynamic' };
    const { remote } = await telling([dynamic]);
    expect((await remote.load((await remote.list()).skills[0] as Skill)).text).toBe(text);
    expect(await remote.verify(dynamic)).toEqual([{ uri, error: undefined }]);
  });
});

describe('a list entry', () => {
  const [head, file] = entry.resources as [object, object];
  it.each([
    ['no object', 'x'],
    ['no address', { ...entry, uri: undefined }],
    ['an address of something else', { ...entry, uri: 'skill://pdf/README.md' }],
    ['no head', { ...entry, frontmatter: undefined }],
    ['a head that breaks the rules', { ...entry, frontmatter: { name: 'PDF', description: 'x' } }],
    ['a name that is not that of its folder', { ...entry, frontmatter: { name: 'word', description: 'x' } }],
    ['no files', { ...entry, resources: undefined }],
    ['another word for its files', { ...entry, resources: 'lazy' }],
    ['files without its SKILL.md', { ...entry, resources: [file] }],
    ['a file twice', { ...entry, resources: [head, head] }],
    ['a file of another folder', { ...entry, resources: [head, { ...file, uri: 'skill://word/x.md' }] }],
    ['a file that leads away', { ...entry, resources: [head, { ...file, uri: 'skill://pdf/%2e%2e/x.md' }] }],
    ['a file whose slash is encoded', { ...entry, resources: [head, { ...file, uri: 'skill://pdf/..%2F..%2Fx.md' }] }],
    ['a file with a backslash', { ...entry, resources: [head, { ...file, uri: 'skill://pdf/..\\x.md' }] }],
    ['a file with an encoded line', { ...entry, resources: [head, { ...file, uri: 'skill://pdf/a%0Ab.md' }] }],
    ['a file that is badly encoded', { ...entry, resources: [head, { ...file, uri: 'skill://pdf/%zz.md' }] }],
    ['an address that leads away', { ...entry, uri: 'skill://a/../pdf/SKILL.md', resources: 'dynamic' }],
    ['an address that leads away, encoded', { ...entry, uri: 'skill://%2E%2e/pdf/SKILL.md', resources: 'dynamic' }],
    ['an address without a scheme', { ...entry, uri: '/etc/pdf/SKILL.md', resources: 'dynamic' }],
    ['a digest of another kind', { ...entry, resources: [{ ...head, digest: 'md5:00' }] }],
    ['a size that is none', { ...entry, resources: [{ ...head, size: -1 }] }],
    ['more bytes than a skill may have', { ...entry, resources: [{ ...head, size: 2 ** 25 }] }],
  ])('is rejected with %s, and the others are accepted (SH-05)', async (_, wrong) => {
    const { remote } = await telling([wrong, entry]);
    const { skills: taken, rejected } = await remote.list();
    expect(taken).toEqual([entry]);
    expect(rejected).toEqual([expect.any(SkillError)]);
    await expect(remote.get(uri)).rejects.toMatchObject({ problem: 'entry' });
  });

  it('counts once: a duplicate URI is rejected, on any page (SH-06)', async () => {
    const other: Skill = { ...entry, resources: 'dynamic' };
    const { remote } = await telling([entry, other]);
    const { skills: taken, rejected } = await remote.list();
    expect(taken).toEqual([entry]);
    expect(rejected).toMatchObject([{ uri, problem: 'entry' }]);
  });

  it('is read from a list that must end (SH-02)', async () => {
    let page = 0;
    const server = createServer({
      name: 'x',
      version: '1',
      extensions: [
        {
          id: 'io.modelcontextprotocol/skills',
          methods: { 'skills/list': { serve: () => ({ skills: [], nextCursor: String(page++) }) } },
        },
      ],
    });
    const remote = skillsOf(await testClient(server, { extensions: [skillsClient] }));
    await expect(remote.list()).rejects.toThrow('does not end');
  });

  it('is not required: an unlisted skill is fetched by its URI (SH-02)', async () => {
    const { client, remote } = await telling([entry]);
    expect(await remote.get(uri)).toEqual(entry);
    expect(readsOf(client)).toEqual([]);
  });

  it('is rejected if it belongs to another skill', async () => {
    const { remote } = await telling([entry]);
    await expect(remote.get('skill://word/SKILL.md')).rejects.toThrow('another skill');
  });
});

describe('without the extension', () => {
  it('explains whether the server or the client lacks it (SH-01)', async () => {
    const plain = await testClient(createServer({ name: 'x', version: '1' }), { extensions: [skillsClient] });
    await expect(skillsOf(plain).list()).rejects.toThrow('This server has no skills');
    const server = createServer({ name: 'x', version: '1', extensions: [skills({ 'pdf/SKILL.md': text })] });
    await expect(skillsOf(await testClient(server)).list()).rejects.toThrow('extensions: [skillsClient]');
  });

  it('requests folders only if the server supports that (SH-01)', async () => {
    const { remote } = await telling([entry]);
    await expect(remote.folder('skill://pdf')).rejects.toThrow('does not support reading folders');
  });
});

describe('a skill with deeply nested frontmatter', () => {
  it('is rejected, and the others are listed', async () => {
    let deep: object = {};
    for (let level = 0; level < 500; level += 1) deep = { deep };
    const other = { ...entry, uri: 'skill://other/SKILL.md', frontmatter: { name: 'other', description: 'x', deep } };
    const { remote } = await telling([other, entry]);
    const { skills: listed, rejected } = await remote.list();

    expect(listed.map(({ uri: at }) => at)).toEqual([uri]);
    expect(rejected.map(({ message }) => message)).toEqual([
      expect.stringContaining('nested more than 32 levels deep'),
    ]);
  });
});
