import { createServer, prompt, resource, type Server, template, tool, ToolError } from '@ccmcp/core';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const order = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'What is ordered', minLength: 2 },
    count: { type: 'integer', minimum: 1, maximum: 99, default: 1 },
    urgent: { type: 'boolean' },
    colour: { enum: ['red', 'green', 'blue'] },
    when: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' }, description: 'Words to find it by' },
    shape: {
      oneOf: [
        {
          title: 'Circle',
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          title: 'Square',
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
      ],
    },
    to: {
      type: 'object',
      description: 'Where it goes',
      properties: { street: { type: 'string' }, floor: { type: ['integer', 'null'] } },
      required: ['street'],
    },
    picture: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
  },
  required: ['title', 'to'],
} as const;

/** A server with one of everything that the page can show. */
export function sampleServer(): Server {
  return createServer({
    name: 'kitchen',
    version: '1.0.0',
    title: 'Kitchen',
    instructions: 'Order first, then **wait**.',
    tools: [
      tool(
        'order',
        {
          title: 'Order something',
          description: 'Takes an order and says it back.',
          input: order,
          annotations: { readOnlyHint: false },
        },
        (given) => JSON.stringify(given),
      ),
      tool(
        'menu',
        {
          title: 'What there is',
          description: 'The menu, as a table.',
          annotations: { readOnlyHint: true },
          output: {
            type: 'object',
            properties: {
              dishes: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { name: { type: 'string' }, price: { type: 'number' } },
                  required: ['name', 'price'],
                },
              },
            },
            required: ['dishes'],
          } as const,
        },
        () => ({
          dishes: [
            { name: 'Soup', price: 4.5 },
            { name: 'Bread', price: 2 },
            { name: 'Plum cake', price: 3.2 },
          ],
        }),
      ),
      tool(
        'recipe',
        { description: 'A recipe in Markdown.' },
        () => '# Bread\n\n- flour\n- water\n\n<img src=x onerror="document.title=1">\n\n[more](https://example.com/)',
      ),
      tool('photo', { description: 'A picture of the dish.' }, () => ({
        content: [{ type: 'image' as const, data: pixel, mimeType: 'image/png' }],
      })),
      tool('burn', { description: 'Always fails.', annotations: { destructiveHint: true } }, () => {
        throw new ToolError('The bread is burnt. Lower the heat and try again.');
      }),
      tool(
        'bake',
        { title: 'Bake slowly', description: 'Takes a while and tells how far it is.' },
        async (_, { progress, log, signal }) => {
          for (let step = 1; step <= 4 && !signal.aborted; step++) {
            progress(step, 4, `layer ${step}`);
            log('info', `Layer ${step} is in the oven`);
            await new Promise((resolve) => setImmediate(resolve));
          }
          return 'Baked.';
        },
      ),
      tool(
        'stew',
        { description: 'Goes on until it is cancelled.' },
        (_, { signal }) => new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
      ),
      tool('reserve', { title: 'Reserve a table', description: 'Asks for how many.' }, async (_, { elicit }) => {
        const answer = await elicit({
          message: 'For how many, and where?',
          schema: {
            type: 'object',
            properties: {
              guests: { type: 'integer', minimum: 1, maximum: 12, title: 'Guests' },
              place: { type: 'string', enum: ['inside', 'garden'], title: 'Place' },
            },
            required: ['guests'],
          } as const,
        });
        return answer.action === 'accept' ? `A table for ${answer.content.guests}.` : `You said ${answer.action}.`;
      }),
      tool('taste', { description: 'Asks a model for its opinion.' }, async (_, { sample }) => {
        const { content } = await sample({ messages: 'How does it taste?', maxTokens: 50 });
        return JSON.stringify(content);
      }),
    ],
    resources: [
      resource(
        'kitchen://card',
        { name: 'card', title: 'The card', mimeType: 'text/markdown' },
        () => '# Card\n\nSoup and **bread**.',
      ),
      resource('kitchen://oven', { name: 'oven', description: 'How hot it is' }, () => '210 °C'),
    ],
    templates: [
      template(
        'kitchen://dish/{name}',
        { name: 'dish', complete: { name: ['soup', 'soufflé', 'bread'] } },
        ({ name }) => `A dish of ${String(name)}.`,
      ),
    ],
    prompts: [
      prompt(
        'advise',
        {
          title: 'Ask the cook',
          arguments: { dish: { required: true, description: 'Of what', complete: ['soup', 'bread'] } },
        },
        ({ dish }) => `How do I make ${dish}?`,
      ),
    ],
  });
}
