// A tool that asks the person a question, tells how far it is, and stops when it is cancelled.
// Run it with: node examples/ask-the-user/server.js
import { setTimeout as wait } from 'node:timers/promises';
import { createServer, stderrLogger, ToolError, tool } from '@ccmcp/core';
import { serveStdio } from '@ccmcp/core/stdio';

const brew = tool(
  'brew_tea',
  {
    description: 'Brew cups of tea, one after the other; asks the person which tea',
    input: { type: 'object', properties: { cups: { type: 'integer', minimum: 1, maximum: 100 } }, required: ['cups'] },
  },
  async ({ cups }, { elicit, log, progress, signal }) => {
    // Questions come before deeds: with some clients this function is left here and runs again, from its first line,
    // when the answer is there.
    const answer = await elicit({
      message: `Which tea for ${cups} cups?`,
      schema: {
        type: 'object',
        properties: { tea: { type: 'string', enum: ['green', 'black', 'mint'] } },
        required: ['tea'],
      },
    });
    if (answer.action !== 'accept') throw new ToolError('No tea was chosen, so nothing was brewed');

    log('info', 'Kettle on');
    try {
      for (let cup = 1; cup <= cups; cup += 1) {
        await wait(200, undefined, { signal });
        progress(cup, cups, `Cup ${cup} of ${cups}`);
      }
      return `Brewed ${cups} cups of ${answer.content.tea} tea`;
    } finally {
      log('info', 'Kettle off');
    }
  },
);

serveStdio(createServer({ name: 'tea', version: '1.0.0', tools: [brew], logger: stderrLogger('info') }));
