import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { connect, httpTransport } from '@ccmcp/core/client';
import { tasksClient } from '@ccmcp/core/tasks';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';

describe('our client with the official example of tasks that ask', () => {
  let port = 0;

  beforeAll(async () => {
    port = await freePort();
    const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server/index.js');
    const example = main.replace(/dist.*$/s, 'dist/esm/examples/server/simpleTaskInteractive.js');
    const child = spawn(process.execPath, [example], { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), 20_000);
    return () => child.kill('SIGKILL');
  });

  it('answers questions that arrive while it waits for the result', async () => {
    const client = await connect(httpTransport(`http://127.0.0.1:${port}/mcp`), {
      extensions: [tasksClient()],
      elicit: () => ({ action: 'accept', content: { confirm: true } }),
      sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'An old silent pond' } }),
    });
    onTestFinished(() => client.close());
    await client.listTools().all();
    expect(await client.callTool('confirm_delete', { filename: 'a.txt' })).toMatchObject({
      content: [{ text: "Deleted 'a.txt'" }],
    });
    expect(await client.callTool('write_haiku', { topic: 'ponds' })).toMatchObject({
      content: [{ text: 'Haiku:\nAn old silent pond' }],
    });
  });
});
