import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHash } from 'node:crypto';
import { createServer, type LogEntry, resource } from '../../index.ts';
import { connectDirect, type DirectClient } from '../../server/fixtures/direct-client.ts';
import {
  type ServedSkills,
  type Skill,
  type SkillHead,
  skillsClient,
  skills,
  type SkillsOptions,
} from '../../skills.ts';
import { testClient, type TestClient } from '../../testing.ts';

const id = 'io.modelcontextprotocol/skills';
const text = '---\nname: pdf\ndescription: Read forms\n---\nDo it.\n';
const files = {
  'pdf/SKILL.md': text,
  'pdf/references/FIELDS.md': '# Fields\n',
  'pdf/logo.png': new Uint8Array([1, 255]),
};
const eras = ['handshake', 'stateless'] as const;

const digest = (bytes: string | Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const pdf = {
  uri: 'skill://pdf/SKILL.md',
  frontmatter: { name: 'pdf', description: 'Read forms' },
  resources: [
    { uri: 'skill://pdf/SKILL.md', digest: digest(text), size: text.length },
    { uri: 'skill://pdf/logo.png', digest: digest(new Uint8Array([1, 255])), size: 2 },
    { uri: 'skill://pdf/references/FIELDS.md', digest: digest('# Fields\n'), size: 9 },
  ],
};

function client(era: (typeof eras)[number], extensions = [skillsClient]): Promise<TestClient> {
  return testClient(createServer({ name: 'x', version: '1', extensions: [skills(files)] }), { era, extensions });
}

it('rejects an unknown option of skills', () => {
  expect(() => skills(files, { list: 'none' } as never)).toThrow('skills has no option "list": did you mean "listed"?');
});

it.each([
  [undefined, 'skills needs a folder, such as skills(new URL("./skills", import.meta.url)), or files by their paths'],
  [null, 'skills needs a folder'],
  [42, 'skills needs a folder'],
  ['', 'skills needs a folder'],
  [['./skills'], 'skills takes one folder, and a list was given: put the folders of all skills into one'],
  [
    new URL('https://example.com/skills'),
    'skills reads files of this machine, and https://example.com/skills is elsewhere',
  ],
  [{ 'pdf/SKILL.md': text, 'pdf/x.md': 3 }, '"pdf/x.md" has no contents: give a text or a Uint8Array'],
])('what is no folder and no files is rejected: %s', (from, message) => {
  expect(() => skills(from as never)).toThrow(message);
});

it('rejects an invalid value of an option', () => {
  expect(() => skills(files, { listed: 'all' as never })).toThrow(
    'skills: "listed" must be "heads" or "none", not "all"',
  );
  expect(() => skills(files, { watch: 'no' as never })).toThrow('skills: "watch" must be true or false, not "no"');
  expect(() => skills(files, null as never)).toThrow('skills takes its options as an object');
});

describe.each(eras)('skills of a server, in the %s era', (era) => {
  it('are declared, together with resources (SK-01)', async () => {
    const { capabilities } = await client(era);
    expect(capabilities.extensions).toEqual({ [id]: { directoryRead: true } });
    expect(capabilities.resources).toBeDefined();
  });

  it('are listed with cache hints, and the size and digest of every file (SK-03, SK-04, SK-08)', async () => {
    const result = await (await client(era)).request('skills/list');
    expect(result.skills).toEqual([pdf]);
    expect(result).not.toHaveProperty('nextCursor');
    const cached = era === 'stateless' ? { ttlMs: expect.any(Number), cacheScope: expect.any(String) } : {};
    expect(result).toMatchObject(cached);
    if (era === 'handshake') expect(Object.keys(result)).toEqual(['skills']);
  });

  it('can be fetched one by one; any other URI is rejected (SK-07)', async () => {
    const asked = await client(era);
    expect(await asked.request('skills/get', { uri: pdf.uri })).toMatchObject({ skill: pdf });
    for (const uri of ['skill://pdf', 'skill://pdf/references/FIELDS.md', 'skill://x/SKILL.md', 3, undefined]) {
      await expect(asked.request('skills/get', { uri })).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('are read byte by byte as listed (SK-05)', async () => {
    const asked = await client(era);
    const read = async (uri: string): Promise<unknown> => (await asked.readResource(uri)).contents;
    expect(await read(pdf.uri)).toEqual([{ uri: pdf.uri, mimeType: 'text/markdown', text }]);
    expect(await read('skill://pdf/logo.png')).toEqual([
      { uri: 'skill://pdf/logo.png', mimeType: 'image/png', blob: 'Af8=' },
    ]);
  });

  it('are in the list of resources, with the description of their frontmatter (SK-10)', async () => {
    expect(await (await client(era)).listResources().all()).toEqual([
      {
        uri: pdf.uri,
        name: 'pdf',
        description: 'Read forms',
        mimeType: 'text/markdown',
        size: text.length,
      },
    ]);
  });

  it('can be omitted from the list of resources', async () => {
    const extensions = [skills(files, { listed: 'none' })];
    const asked = await testClient(createServer({ name: 'x', version: '1', extensions }), { era });
    expect(await asked.listResources().all()).toEqual([]);
    expect((await asked.readResource(pdf.uri)).contents).toHaveLength(1);
  });

  it('list the entries of their folders (SK-09)', async () => {
    const asked = await client(era);
    const { resources } = await asked.request('resources/directory/read', { uri: 'skill://pdf' });
    expect(resources).toEqual([
      { uri: 'skill://pdf/SKILL.md', name: 'SKILL.md', mimeType: 'text/markdown', size: text.length },
      { uri: 'skill://pdf/logo.png', name: 'logo.png', mimeType: 'image/png', size: 2 },
      { uri: 'skill://pdf/references', name: 'references', mimeType: 'inode/directory' },
    ]);
    for (const uri of ['skill://pdf/', pdf.uri, 'skill://', 'skill://pdf/nowhere', undefined]) {
      await expect(asked.request('resources/directory/read', { uri })).rejects.toMatchObject({ code: -32602 });
    }
    const more = { uri: 'skill://pdf', cursor: 'x' };
    await expect(asked.request('resources/directory/read', more)).rejects.toMatchObject({ code: -32602 });
  });

  it('are served to clients that do not declare them', async () => {
    const asked = await client(era, []);
    expect(await asked.request('skills/list')).toMatchObject({ skills: [pdf] });
  });
});

describe('a long list of skills', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => {
      const name = `s-${String(index).padStart(2, '0')}`;
      return [`${name}/SKILL.md`, `---\nname: ${name}\ndescription: x\nown: ${'y'.repeat(30_000)}\n---\n`];
    }),
  );

  it('is paginated, with each skill on one page (SK-08)', async () => {
    const asked = await testClient(createServer({ name: 'x', version: '1', extensions: [skills(many)] }));
    const names: string[] = [];
    let cursor: unknown;
    let pages = 0;
    do {
      const page = await asked.request('skills/list', cursor === undefined ? {} : { cursor });
      for (const { frontmatter } of page.skills as (typeof pdf)[]) names.push(frontmatter.name);
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(3);
    expect(names).toEqual(Object.keys(many).map((path) => path.slice(0, 4)));
  });

  it.each(['x', '', 3, null, 'c2tpbGw'])('rejects the cursor %j', async (cursor) => {
    const asked = await testClient(createServer({ name: 'x', version: '1', extensions: [skills(many)] }));
    await expect(asked.request('skills/list', { cursor })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('skills with scopes', () => {
  const head = (name: string, more = ''): string => `---\nname: ${name}\ndescription: x\n${more}---\n`;
  const nested = {
    'outer/SKILL.md': head('outer'),
    'outer/notes.md': 'x',
    'outer/parts/inner/SKILL.md': head('inner'),
    'outer/parts/inner/data.md': 'x',
  };

  function seenBy(extension: ServedSkills, ...scopes: string[]) {
    const client = connectDirect(createServer({ name: 'x', version: '1', extensions: [extension] }), {
      auth: { principal: 'ann', scopes },
    });
    const entries = async (method: string, params = {}): Promise<string[]> => {
      const { result, error } = (await client.request(method, params)) ?? {};
      if (error !== undefined) return [error.message];
      const { skills: listed, resources, skill } = JSON.parse(JSON.stringify(result));
      return (listed ?? skill?.resources ?? resources).map(({ uri }: { uri: string }) => uri);
    };
    return { client, entries };
  }

  it.each([
    ['notes', 'Skill "outer": "scopes" must be a list, such as ["notes"], or a function that gives one'],
    [['a b'], 'Skill "outer": "a b" is no scope'],
    [() => 'notes', 'Skill "outer": "scopes" must be a list'],
    [async () => ['notes'], 'Skill "outer": "scopes" must be a list'],
    [
      ({ folder }: SkillHead) => Array.from({ length: 20 }, (_, each) => `${folder}-${each}`),
      '"outer/parts/inner/SKILL.md", with the skills that it stands within: "scopes" has 40 entries: 32 is the most',
    ],
  ])('are rejected where what they demand is no list of scopes: %s', (scopes, message) => {
    expect(() => skills(nested, { scopes: scopes as never })).toThrow(message);
  });

  it('call the scopes function with their folder and frontmatter', () => {
    const asked: SkillHead[] = [];
    const scopes = (skill: SkillHead): undefined => {
      asked.push(skill);
      return undefined;
    };
    skills(nested, { scopes });
    expect(asked).toEqual([
      { uri: 'skill://outer/SKILL.md', folder: 'outer', frontmatter: { name: 'outer', description: 'x' } },
      {
        uri: 'skill://outer/parts/inner/SKILL.md',
        folder: 'outer/parts/inner',
        frontmatter: { name: 'inner', description: 'x' },
      },
    ]);
  });

  it('are not part of an enclosing skill for a caller who may not see them', async () => {
    const extension = skills(nested, { scopes: ({ folder }) => (folder === 'outer' ? undefined : ['in']) });
    const { entries } = seenBy(extension);
    expect(await entries('skills/list')).toEqual(['skill://outer/SKILL.md']);
    expect(await entries('resources/list')).toEqual(['skill://outer/SKILL.md']);
    expect(await entries('skills/get', { uri: 'skill://outer/SKILL.md' })).toEqual([
      'skill://outer/SKILL.md',
      'skill://outer/notes.md',
    ]);
    expect(await entries('resources/directory/read', { uri: 'skill://outer' })).toEqual([
      'skill://outer/SKILL.md',
      'skill://outer/notes.md',
    ]);
    expect(await entries('resources/directory/read', { uri: 'skill://outer/parts' })).toEqual([
      expect.stringContaining('There is no folder'),
    ]);
    const all = seenBy(extension, 'in');
    expect(await all.entries('skills/get', { uri: 'skill://outer/SKILL.md' })).toHaveLength(4);
  });

  it('hide nested skills from callers who lack the scopes of one of them', async () => {
    const extension = skills(nested, { scopes: ({ folder }) => (folder === 'outer' ? ['out'] : ['in']) });
    for (const scopes of [[], ['in']]) expect(await seenBy(extension, ...scopes).entries('skills/list')).toEqual([]);
    expect(await seenBy(extension, 'out').entries('skills/list')).toEqual(['skill://outer/SKILL.md']);
    expect(await seenBy(extension, 'in', 'out').entries('skills/list')).toHaveLength(2);
    const open = skills(nested, { scopes: ({ folder }) => (folder === 'outer' ? ['out'] : undefined) });
    expect(await seenBy(open).entries('skills/list')).toEqual([]);
  });

  it('are cached in a few variants, and each caller sees their own', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, each) => [`s${each}/SKILL.md`, head(`s${each}`)] as const),
    );
    const extension = skills(many, { scopes: ({ folder }) => [folder] });
    const server = createServer({ name: 'x', version: '1', extensions: [extension] });
    for (let round = 0; round < 2; round++) {
      for (let bits = 0; bits < 64; bits++) {
        const scopes = Array.from({ length: 6 }, (_, each) => `s${each}`).filter((_, each) => (bits >> each) & 1);
        const { request } = connectDirect(server, { auth: { principal: 'ann', scopes } });
        const { result } = (await request('skills/list')) ?? {};
        expect(result.skills.map((skill: Skill) => skill.frontmatter.name)).toEqual(scopes);
      }
    }
  });

  it('may gain or lose scopes on reload', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    mkdirSync(join(folder, 'pdf'));
    const write = (group: string): void =>
      writeFileSync(join(folder, 'pdf/SKILL.md'), head('pdf', `metadata:\n  group: ${group}\n`));
    write('all');
    writeFileSync(join(folder, 'pdf/more.md'), 'the same all the time');
    const extension = skills(folder, {
      watch: false,
      scopes: ({ frontmatter: { metadata } }) => {
        const { group = 'all' } = metadata as { group?: string };
        return group === 'all' ? undefined : [group];
      },
    });
    const { client, entries } = seenBy(extension);
    const uri = 'skill://pdf/more.md';
    const read = async (): Promise<boolean> => (await client.request('resources/read', { uri }))?.error === undefined;
    expect([await entries('skills/list'), await read()]).toEqual([['skill://pdf/SKILL.md'], true]);
    write('staff');
    extension.reload();
    expect([await entries('skills/list'), await read()]).toEqual([[], false]);
    write('not a scope');
    expect(() => extension.reload()).toThrow('Skill "pdf": "not a scope" is no scope');
    expect([await entries('skills/list'), await read()]).toEqual([[], false]);
    write('all');
    extension.reload();
    expect([await entries('skills/list'), await read()]).toEqual([['skill://pdf/SKILL.md'], true]);
  });

  it('notify only callers who may see them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'skills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    for (const name of ['open', 'staff']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'SKILL.md'), head(name));
      writeFileSync(join(folder, name, 'a.md'), '1');
    }
    const extension = skills(folder, {
      watch: false,
      scopes: ({ folder: at }) => (at === 'staff' ? ['staff'] : undefined),
    });
    const server = createServer({ name: 'x', version: '1', extensions: [extension] });
    const uris = ['skill://open/a.md', 'skill://staff/a.md', 'skill://staff/b.md'];
    const [stranger, staff] = [[], ['staff']].map((scopes) => {
      const client = connectDirect(server, { auth: { principal: 'ann', scopes } });
      void client.request('subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
      return client;
    }) as [DirectClient, DirectClient];
    writeFileSync(join(folder, 'open/a.md'), '2');
    writeFileSync(join(folder, 'staff/a.md'), '2');
    writeFileSync(join(folder, 'staff/b.md'), '2');
    extension.reload();
    await Promise.resolve();
    rmSync(join(folder, 'staff'), { recursive: true, maxRetries: 10 });
    extension.reload();
    await Promise.resolve();
    const notified = ({ received }: DirectClient): unknown[] =>
      received.slice(1).map((message) => ('params' in message ? message.params?.uri : undefined));
    expect(notified(stranger)).toEqual(['skill://open/a.md']);
    expect(notified(staff)).toEqual([
      'skill://open/a.md',
      'skill://staff/a.md',
      'skill://staff/a.md',
      'skill://staff/b.md',
    ]);
  });
});

describe('a watched folder of skills', () => {
  function served(options?: SkillsOptions): { folder: string; logs: LogEntry[] } & ReturnType<typeof start> {
    const folder = mkdtempSync(join(tmpdir(), 'skills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    mkdirSync(join(folder, 'pdf'));
    writeFileSync(join(folder, 'pdf/SKILL.md'), text);
    const logs: LogEntry[] = [];
    return { folder, logs, ...start(folder, logs, options) };
  }

  function start(folder: string | URL, logs: LogEntry[], options?: SkillsOptions) {
    const extension = skills(folder, options);
    onTestFinished(() => extension.close());
    const logger = { level: 'error' as const, write: (entry: LogEntry) => void logs.push(entry) };
    return { extension, server: createServer({ name: 'x', version: '1', extensions: [extension], logger }) };
  }

  const names = async (asked: TestClient): Promise<string[]> => {
    const { skills: all } = await asked.request('skills/list');
    return (all as (typeof pdf)[]).map(({ frontmatter }) => frontmatter.description);
  };

  it('can be given as a URL, such as one beside the module', async () => {
    const { folder } = served({ watch: false });
    const { server } = start(pathToFileURL(folder), []);
    expect(await names(await testClient(server, { extensions: [skillsClient] }))).toEqual(['Read forms']);
  });

  it('is reloaded, and clients are notified (SK-05)', async () => {
    const { folder, server } = served();
    const asked = await testClient(server, { extensions: [skillsClient] });
    const received: string[] = [];
    const subscription = await asked.listen({ resources: true, uris: [pdf.uri] });
    onTestFinished(() => subscription.close());
    void (async () => {
      for await (const change of subscription) received.push(change.kind);
    })();
    writeFileSync(join(folder, 'pdf/SKILL.md'), text.replace('Read forms', 'Read more'));
    await vi.waitFor(async () => expect(await names(asked)).toEqual(['Read more']), { timeout: 10_000 });
    await vi.waitFor(() => expect([...new Set(received)].sort()).toEqual(['resource', 'resources']));
    const [now] = (await asked.readResource(pdf.uri)).contents;
    expect(now).toHaveProperty('text', text.replace('Read forms', 'Read more'));
  });

  it('is reloaded even if something in it changes all the time', async () => {
    const { folder, server } = served();
    const asked = await testClient(server, { extensions: [skillsClient] });
    let written = 0;
    const busy = setInterval(() => writeFileSync(join(folder, 'pdf/log.txt'), String((written += 1))), 10);
    onTestFinished(() => clearInterval(busy));
    const read = async (): Promise<unknown> => (await asked.readResource('skill://pdf/log.txt')).contents;
    await vi.waitFor(async () => expect(await read()).toHaveLength(1), { timeout: 8000 });
    expect(written).toBeGreaterThan(0);
  });

  it('serves the previous skills after an invalid change, and logs it', async () => {
    const { folder, server, logs } = served();
    const asked = await testClient(server);
    writeFileSync(join(folder, 'pdf/SKILL.md'), 'broken');
    await vi.waitFor(
      () => expect(logs.map(({ data }) => data)).toContainEqual(expect.stringContaining('are invalid')),
      {
        timeout: 10_000,
      },
    );
    expect(await names(asked)).toEqual(['Read forms']);
  });

  it('serves the previous skills if a new file has the URI of another resource', async () => {
    const { folder, server, extension } = served({ watch: false });
    server.resources.add(resource('skill://pdf/taken.md', {}, () => 'mine'));
    const asked = await testClient(server, { extensions: [skillsClient] });
    writeFileSync(join(folder, 'pdf/SKILL.md'), text.replace('Read forms', 'Read more'));
    writeFileSync(join(folder, 'pdf/taken.md'), 'x');
    expect(() => extension.reload()).toThrow('"pdf/taken.md": there is another resource at skill://pdf/taken.md');
    expect(await names(asked)).toEqual(['Read forms']);
    expect((await asked.readResource(pdf.uri)).contents).toMatchObject([{ text }]);
    rmSync(join(folder, 'pdf/taken.md'));
    extension.reload();
    expect(await names(asked)).toEqual(['Read more']);
    expect((await asked.readResource('skill://pdf/taken.md')).contents).toMatchObject([{ text: 'mine' }]);
  });

  it('can be removed, added again and replaced (SK-05)', async () => {
    const { folder, server, logs } = served();
    const asked = await testClient(server);
    rmSync(folder, { recursive: true, maxRetries: 10 });
    await vi.waitFor(
      () => expect(logs.map(({ data }) => data)).toContainEqual(expect.stringContaining('are invalid')),
      {
        timeout: 10_000,
      },
    );
    expect(await names(asked)).toEqual(['Read forms']);
    const other = `${folder}-other`;
    onTestFinished(() => rmSync(other, { recursive: true, force: true, maxRetries: 10 }));
    for (const description of ['Come back', 'Replaced']) {
      mkdirSync(join(other, 'pdf'), { recursive: true });
      writeFileSync(join(other, 'pdf/SKILL.md'), text.replace('Read forms', description));
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      renameSync(other, folder);
      await vi.waitFor(async () => expect(await names(asked)).toEqual([description]), { timeout: 10_000 });
    }
    writeFileSync(join(folder, 'pdf/SKILL.md'), text.replace('Read forms', 'Written'));
    await vi.waitFor(async () => expect(await names(asked)).toEqual(['Written']), { timeout: 10_000 });
  });

  it('serves no file that was added after it was read: it looks missing', async () => {
    const { folder, server } = served({ watch: false });
    const asked = await testClient(server);
    writeFileSync(join(folder, 'pdf/new.md'), 'x');
    writeFileSync(join(folder, 'pdf/.env'), 'x');
    const rejection = async (method: string, uri: string): Promise<string> =>
      asked.request(method, { uri }).then(
        () => 'given',
        ({ code, message, data }: { code: number; message: string; data: unknown }) =>
          JSON.stringify({ code, message: message.split('\n')[0], data }).replaceAll(uri, 'it'),
      );
    for (const method of ['resources/read', 'skills/get', 'resources/directory/read']) {
      const none = await rejection(method, 'skill://pdf/none.md');
      expect(none).not.toBe('given');
      for (const path of ['pdf/new.md', 'pdf/.env', 'pdf/../pdf/new.md', '../../etc/passwd', 'pdf/%2e%2e/pdf/new.md']) {
        expect(await rejection(method, `skill://${path}`)).toBe(none);
      }
    }
  });

  it('is reloaded on request only, if it is not watched', async () => {
    const { folder, server, extension } = served({ watch: false });
    const asked = await testClient(server);
    mkdirSync(join(folder, 'word'));
    writeFileSync(join(folder, 'word/SKILL.md'), '---\nname: word\ndescription: Letters\n---\n');
    expect(await names(asked)).toEqual(['Read forms']);
    extension.reload();
    expect(await names(asked)).toEqual(['Read forms', 'Letters']);
    rmSync(join(folder, 'pdf'), { recursive: true, maxRetries: 10 });
    extension.reload();
    expect(await names(asked)).toEqual(['Letters']);
    await expect(asked.readResource(pdf.uri)).rejects.toThrow('Resource not found');
    writeFileSync(join(folder, 'word/SKILL.md'), 'broken');
    expect(() => extension.reload()).toThrow('must begin with');
    expect(await names(asked)).toEqual(['Letters']);
  });
});
