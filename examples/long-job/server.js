// A tool that runs as a task: its caller gets a handle at once, asks how it stands, answers its question, and fetches the
// result. Run it with: node examples/long-job/server.js
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, tool } from '@ccmcp/core';
import { serveHttp } from '@ccmcp/core/http';
import { tasks } from '@ccmcp/core/tasks';

const bake = tool(
  'bake_bread',
  {
    description: 'Bake loaves of bread; asks the person how dark',
    input: {
      type: 'object',
      properties: { loaves: { type: 'integer', minimum: 1, maximum: 20 } },
      required: ['loaves'],
    },
    // Clients without tasks may call it too, and wait.
    task: 'optional',
    ttlMs: 10 * 60_000,
    pollMs: 200,
    // Another instance may start again from the first line: the bread is baked only at the end.
    runsAgain: true,
  },
  async ({ loaves }, { elicit, progress, signal }) => {
    const { action, content } = await elicit({
      message: 'How dark?',
      schema: {
        type: 'object',
        properties: { crust: { type: 'string', enum: ['light', 'dark'] } },
        required: ['crust'],
      },
    });
    const crust = action === 'accept' ? content.crust : 'light';
    for (let loaf = 1; loaf <= loaves; loaf += 1) {
      progress(loaf, loaves, `Kneading`);
      await wait(100, undefined, { signal });
    }
    return `${loaves} ${crust} loaves`;
  },
);

const server = createServer({ name: 'bakery', version: '1.0.0', extensions: [tasks()], tools: [bake] });
const { url } = await serveHttp(server, { port: Number(process.env.PORT ?? 0) });
console.log(url);
