import { expect, it } from 'vitest';
import { createLock, formatLock } from '../contracts.ts';
import { createServer } from '../create-server.ts';
import { tool } from '../server/define/define.ts';
import { expectCompatible, testClient } from '../testing.ts';

const serve = (description: string, ...names: string[]) =>
  createServer({
    name: 'demo',
    version: '1.0.0',
    tools: names.map((name) => tool(name, { description }, () => 'done')),
  });

const lock = async () => formatLock(await createLock({ demo: serve('Greet', 'greet') }));

it('passes for the same server, a further tool, and another wording', async () => {
  for (const server of [serve('Greet', 'greet'), serve('Greet everybody', 'greet', 'wave')]) {
    await expect(expectCompatible(server, await lock())).resolves.toBeUndefined();
    await expect(expectCompatible(await testClient(server), await lock())).resolves.toBeUndefined();
  }
});

it('fails for a tool that is gone, and shows the change', async () => {
  await expect(expectCompatible(serve('Greet', 'wave'), await lock())).rejects.toThrow(
    'breaking    tool greet: it is gone',
  );
});

it('fails for the wording too, if that is asked for', async () => {
  const failing = expectCompatible(serve('Hello', 'greet'), await lock(), { failOn: 'wording' });
  await expect(failing).rejects.toThrow('tool greet: the description changed');
});

it('wants to know which of several servers is meant', async () => {
  const demo = serve('Greet', 'greet');
  const both = await createLock({ one: demo, other: demo });
  await expect(expectCompatible(demo, both)).rejects.toThrow('the lock has 2 servers: name one with { target: "one" }');
  await expectCompatible(demo, both, { target: 'other' });
});
