import { createServer, type Server, tool } from '@ccmcp/core';
import { tasks } from '@ccmcp/core/tasks';

/** A server whose tools run as tasks: one asks and ends, one runs until it is cancelled, one fails. */
export function taskServer(): Server {
  return createServer({
    name: 'workshop',
    version: '1.0.0',
    extensions: [tasks()],
    tools: [
      tool(
        'carve',
        { description: 'Carves what you say.', task: 'required', pollMs: 50 },
        async (_, { elicit, progress }) => {
          progress(1, 3, 'Choosing wood');
          const { content } = await elicit({
            message: 'What should it be?',
            schema: {
              type: 'object',
              properties: { shape: { type: 'string', title: 'Shape' } },
              required: ['shape'],
            } as const,
          });
          progress(3, 3, 'Done');
          return `A wooden ${content?.shape ?? 'thing'}.`;
        },
      ),
      tool(
        'sand',
        { description: 'Goes on until it is cancelled.', task: 'optional', pollMs: 50 },
        (_, { progress, signal }) =>
          new Promise<string>((_resolve, reject) => {
            progress(1, 9, 'Sanding');
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      ),
    ],
  });
}
