import { expect } from 'vitest';
import { expectError } from '../support/mcp-client.ts';
import { type Client, everywhere } from './cells.ts';

const lists = [
  { method: 'tools/list', member: 'tools', key: 'name' },
  { method: 'prompts/list', member: 'prompts', key: 'name' },
  { method: 'resources/list', member: 'resources', key: 'uri' },
  { method: 'resources/templates/list', member: 'resourceTemplates', key: 'uriTemplate' },
] as const;

async function pages(client: Client, { method, member, key }: (typeof lists)[number]): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const result = await client.request(method, cursor === undefined ? {} : { cursor });
    found.push(result[member].map((row: Record<string, string>) => row[key]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return found;
}

const small = { server: { pageSize: 2 } };

for (const list of lists) {
  everywhere(
    `${list.method} comes page by page, nothing twice and nothing left out (S-G-01)`,
    async ({ connect, server }) => {
      const found = await pages(await connect(), list);
      const own = {
        tools: [...server.tools].map(({ name }) => name),
        prompts: [...server.prompts].map(({ name }) => name),
        resources: [...server.resources].map(({ uri }) => uri),
        resourceTemplates: [...server.templates].map(({ uriTemplate }) => uriTemplate),
      }[list.member];
      const notes = list.member === 'resources' ? ['a', 'b', 'c', 'd', 'e'].map((id) => `note://${id}`) : [];
      expect(found.flat()).toEqual([...own, ...notes]);
      expect(found.slice(0, Math.floor(own.length / 2)).every((page) => page.length >= 2)).toBe(true);
      expect(found.at(-1)).not.toHaveLength(0);
    },
    small,
  );
}

everywhere(
  'a cursor that is not ours is invalid params (S-G-01)',
  async ({ connect }) => {
    const client = await connect();
    const { nextCursor: ofTools } = await client.request('tools/list');
    const { nextCursor: ofResources } = await client.request('resources/list');
    const forged = Buffer.from(JSON.stringify(['tools/list', 2, 'x', '\u0000'])).toString('base64url');
    for (const { method } of lists) {
      const foreign = method === 'tools/list' ? ofResources : ofTools;
      for (const cursor of ['', 'abc', '%%%', foreign, `${ofTools} `, 7, null, {}, ['x'], forged.slice(1)]) {
        expectError(await client.sendRequest(method, { cursor }), -32602);
      }
    }
  },
  small,
);

everywhere(
  'what is added or removed between two pages shifts nothing (S-G-01)',
  async ({ connect, server }) => {
    const client = await connect();
    const first = await client.request('tools/list');
    const names = [...server.tools].map(({ name }) => name);
    server.tools.remove(names[0] as string);
    const second = await client.request('tools/list', { cursor: first.nextCursor });
    expect(second.tools.map(({ name }: { name: string }) => name)).toEqual(names.slice(2, 4));
  },
  small,
);
