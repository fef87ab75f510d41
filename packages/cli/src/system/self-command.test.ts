import { expect, it } from 'vitest';
import { selfCommand } from './self-command.ts';

it.each([
  ['/usr/local/bin/ccmcp', '/usr/bin:/usr/local/bin', '/home/ada', 'ccmcp'],
  ['/home/ada/clone/ccmcp', '/usr/bin', '/home/ada/clone', './ccmcp'],
  ['/home/ada/clone/ccmcp', '/usr/bin', '/home/ada', 'clone/ccmcp'],
  ['/home/ada/clone/ccmcp', '/usr/bin', '/home/ada/project', '/home/ada/clone/ccmcp'],
  ['/srv/node_modules/ccmcp/dist/main.cjs', '/usr/bin', '/srv', 'ccmcp'],
])('what was started as %s, with the PATH %s, in %s, is called %s', (script, path, cwd, name) => {
  expect(selfCommand({ script, path, cwd })).toBe(name);
});
