import { describe, expect, it } from 'vitest';
import { compose } from '../../compose.ts';
import { createServer, type ServerOptions } from '../../create-server.ts';
import { prompt, resource, template, tool } from '../../server/define/define.ts';
import type { Auth, AuthPolicy } from '../../server/peer.ts';
import { connectDirect } from '../../server/fixtures/direct-client.ts';
import { engineOf } from '../../server/server-handle.ts';
import type { Server } from '../../server/server.ts';

const asking: AuthPolicy = {
  authenticates: true,
  allowsAnonymous: false,
  scopeErrorForm: () => 'error',
  challenges: () => [],
};

const offered: Partial<ServerOptions> = {
  tools: [
    tool('open', {}, () => ''),
    tool('read', { scopes: ['read'] }, () => ''),
    tool('write', { scopes: ['read', 'write'] }, () => ''),
    tool('mine', { scopes: [] }, () => ''),
    tool('depends', { scopes: () => ['who knows'] }, () => ''),
  ],
  resources: [resource('x://open', {}, () => ''), resource('x://read', { scopes: ['read'] }, () => '')],
  templates: [template('t://{open}', {}, () => ''), template('r://{read}', { scopes: ['read'] }, () => '')],
  prompts: [prompt('open', {}, () => ''), prompt('read', { scopes: ['read'] }, () => '')],
};

function serverWith(options: Partial<ServerOptions> = {}): Server {
  const cache = { ttlMs: 5000, scope: 'public' } as const;
  return createServer({ name: 's', version: '1', lists: 'by-scope', cache, ...offered, ...options });
}

interface Asked {
  method?: string;
  version?: string;
  authPolicy?: AuthPolicy;
}

/** All pages of a list as a caller gets it, with their cache hints. */
async function shown(
  server: Server,
  auth: Auth | undefined,
  { method = 'tools/list', version = '2026-07-28', authPolicy = asking }: Asked = {},
): Promise<{ names: string[]; pages: number; cacheScope: unknown }> {
  const client = connectDirect(server, { ...(auth && { auth }), authPolicy, version });
  const names: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  let cacheScope: unknown;
  do {
    const answer = await client.request(method, cursor === undefined ? {} : { cursor });
    const result = JSON.parse(JSON.stringify(answer?.result));
    const rows = result[Object.keys(result).find((member) => Array.isArray(result[member])) as string];
    names.push(...rows.map((row: Record<string, string>) => row.uriTemplate ?? row.uri ?? row.name));
    ({ nextCursor: cursor, cacheScope } = result);
    pages += 1;
  } while (cursor !== undefined);
  return { names, pages, cacheScope };
}

function ann(...scopes: string[]): Auth {
  return { principal: 'ann', scopes };
}

const everything = ['open', 'read', 'write', 'mine', 'depends'];

describe('lists', () => {
  it('show everything to all callers by default (AR-85)', async () => {
    const { tools } = offered;
    for (const server of [
      serverWith({ lists: 'all' }),
      createServer({ name: 's', version: '1', tools: tools ?? [] }),
    ]) {
      expect((await shown(server, ann())).names).toEqual(everything);
      expect((await shown(server, undefined)).names).toEqual(everything);
    }
    expect((await shown(serverWith({ lists: 'all' }), ann())).cacheScope).toBe('public');
  });

  it('by scope show entries that a caller may use, and those that depend on arguments (AR-85)', async () => {
    const server = serverWith();
    const rows: [Auth | undefined, string[]][] = [
      [undefined, ['open', 'depends']],
      [ann(), ['open', 'mine', 'depends']],
      [ann('other'), ['open', 'mine', 'depends']],
      [ann('write'), ['open', 'mine', 'depends']],
      [ann('read'), ['open', 'read', 'mine', 'depends']],
      [ann('write', 'x', 'read'), everything],
      [{ principal: 'key' }, everything],
    ];
    // Twice, and in all orders: a cached page of one caller must not reach another.
    for (const [auth, names] of [...rows, ...rows.toReversed()]) {
      for (const version of ['2026-07-28', '2025-11-25']) {
        expect((await shown(server, auth, { version })).names).toEqual(names);
      }
    }
    expect((await shown(server, undefined, { authPolicy: { ...asking, authenticates: false } })).names).toEqual(
      everything,
    );
  });

  it('by scope are never stored in shared caches (AR-85)', async () => {
    const server = serverWith();
    for (const auth of [undefined, ann(), ann('read', 'write'), { principal: 'key' }]) {
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        expect((await shown(server, auth, { method })).cacheScope).toBe('private');
      }
    }
    const open = createServer({
      name: 's',
      version: '1',
      lists: 'by-scope',
      cache: { ttlMs: 5000, scope: 'public' },
      tools: [tool('open', {}, () => '')],
    });
    expect((await shown(open, ann())).cacheScope).toBe('public');
  });

  it('by scope include resources, templates and prompts (AR-85)', async () => {
    const server = serverWith();
    const names = async (method: string, auth: Auth) => (await shown(server, auth, { method })).names;
    expect(await names('resources/list', ann())).toEqual(['x://open']);
    expect(await names('resources/list', ann('read'))).toEqual(['x://open', 'x://read']);
    expect(await names('resources/templates/list', ann())).toEqual(['t://{open}']);
    expect(await names('resources/templates/list', ann('read'))).toEqual(['t://{open}', 'r://{read}']);
    expect(await names('prompts/list', ann())).toEqual(['open']);
    expect(await names('prompts/list', ann('read'))).toEqual(['open', 'read']);
  });

  it('by scope have pages without gaps', async () => {
    const tools = Array.from({ length: 50 }, (_, each) =>
      tool(`t${each}`, each % 3 === 0 ? { scopes: ['third'] } : {}, () => ''),
    );
    const server = serverWith({ tools, pageSize: 5 });
    const all = tools.map(({ name }) => name);
    const open = tools.filter(({ scopes }) => scopes === undefined).map(({ name }) => name);
    expect(await shown(server, ann())).toMatchObject({ names: open, pages: Math.ceil(open.length / 5) });
    expect(await shown(server, ann('third'))).toMatchObject({ names: all, pages: 10 });
  });

  it('by scope reflect additions and removals', async () => {
    const server = serverWith();
    expect((await shown(server, ann('new'))).names).toEqual(['open', 'mine', 'depends']);
    server.tools.add(tool('new', { scopes: ['new'] }, () => ''));
    expect((await shown(server, ann('new'))).names).toEqual(['open', 'mine', 'depends', 'new']);
    expect((await shown(server, ann())).names).toEqual(['open', 'mine', 'depends']);
    server.tools.remove('open');
    expect((await shown(server, ann('new'))).names).toEqual(['mine', 'depends', 'new']);
  });

  it('by scope are cached in a bounded number of variants', async () => {
    const tools = Array.from({ length: 12 }, (_, each) => tool(`t${each}`, { scopes: [`s${each}`] }, () => ''));
    const server = serverWith({ tools });
    for (let each = 0; each < 200; each++) {
      const scopes = tools.flatMap((_, bit) => ((each >> bit) & 1 ? [`s${bit}`] : []));
      expect((await shown(server, ann(...scopes, `made-up-${each}`))).names).toHaveLength(scopes.length);
    }
    const { variants } = engineOf(server).catalog;
    expect(variants.size).toBe(16);
    for (let each = 0; each < 50; each++) await shown(server, ann(`made-up-${each}`));
    expect(variants.size).toBe(16);
    expect([...variants.keys()].join()).not.toContain('made-up');
  });

  it('of composed servers are filtered if those of a part are', async () => {
    const part = serverWith();
    const whole = compose({ part: { server: part, prefix: 'p_' } }, { name: 'w', version: '1' });
    expect((await shown(whole, ann())).names).toEqual(['p_open', 'p_mine', 'p_depends']);
    const open = compose({ part }, { name: 'w', version: '1', lists: 'all' });
    expect((await shown(open, ann())).names).toEqual(everything);
  });

  it('reject other values of the option', () => {
    expect(() => serverWith({ lists: 'by-scopes' as never })).toThrow(
      'createServer: "lists" must be "all" or "by-scope", not "by-scopes"',
    );
  });

  it('have the security schemes of tools on servers with anonymous callers (AR-84)', async () => {
    const server = serverWith({ lists: 'all' });
    const list = async (mixed: boolean): Promise<string> => {
      const client = connectDirect(server, { authPolicy: { ...asking, allowsAnonymous: mixed } });
      return JSON.stringify((await client.request('tools/list'))?.result);
    };
    expect(await list(false)).not.toContain('securitySchemes');
    expect(await list(true)).toContain('securitySchemes');
    expect(await list(false)).not.toContain('securitySchemes');
    expect(await list(true)).toContain('securitySchemes');
  });
});
