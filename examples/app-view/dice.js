// A tool with a view: hosts of MCP Apps show the dice, all others read the text.
import { createServer, tool } from '@ccmcp/core';
import { appView, apps } from '@ccmcp/core/apps';

const view = appView('ui://dice/view.html', {
  file: new URL('view.html', import.meta.url),
  title: 'Dice',
  prefersBorder: true,
});

export const server = createServer({
  name: 'dice',
  version: '1.0.0',
  extensions: [apps()],
  tools: [
    tool(
      'roll',
      {
        description: 'Roll some dice',
        input: {
          type: 'object',
          properties: {
            count: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
            sides: { type: 'integer', minimum: 2, maximum: 100, default: 6 },
          },
        },
        ui: view,
      },
      ({ count = 2, sides = 6 }) => {
        const rolled = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides));
        return {
          // For the model, and for hosts without views.
          content: [{ type: 'text', text: `Rolled ${rolled.join(', ')}` }],
          // For the view.
          structuredContent: { rolled, sides },
        };
      },
    ),
  ],
});
