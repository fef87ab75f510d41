import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, connect } from '../support/ccmcp.ts';
import { root } from '../support/imports.ts';

const setUp = pathToFileURL(join(root, 'examples/traced-server/tracing.js')).href;

describe('the command', () => {
  it.each([[[]], [['serve', join(root, 'examples/own-extension/server.js')]]])(
    'traces what it serves where a tracer is registered before: ccmcp %j',
    async (args) => {
      const env = { ...process.env, NODE_OPTIONS: `--import ${setUp}` };
      const { client, wire } = await connect({ args, env });
      await callTool(client, args.length === 0 ? 'add' : 'now', { a: 1, b: 2 });
      await wire.close();
      await wire.exited;

      expect(wire.stderr()).toContain(`"name":"tools/call ${args.length === 0 ? 'add' : 'now'}"`);
    },
  );
});
