import { type Context, type Prompt, prompt, type Resource, resource, type Tool, tool } from '@ccmcp/core';

const name = { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, required: ['name'] } as const;

async function askName({ elicit }: Pick<Context, 'elicit'>): Promise<string> {
  const answer = await elicit({ message: 'What is your name?', schema: name });
  return answer.action === 'accept' ? answer.content.name : `(${answer.action})`;
}

/** Tools that ask their client questions. */
export const questionTools: Tool[] = [
  tool('greet', {}, async (_, context) => `Hello, ${await askName(context)}!`),
  tool('visit', {}, async (_, { elicit }) => {
    const { action } = await elicit({ message: 'Please sign in', url: 'https://example.com/sign-in' });
    return `visit: ${action}`;
  }),
  tool('summarize', {}, async (_, { sample }) => {
    const { content, model, role, stopReason } = await sample({
      messages: 'Summarize the news',
      systemPrompt: 'Be brief',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
      temperature: 0.2,
      maxTokens: 100,
    });
    return JSON.stringify({ content, model, role, stopReason });
  }),
  tool('discuss', {}, async (_, { sample }) => {
    const { content } = await sample({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', data: 'iVBORw0=', mimeType: 'image/png' },
          ],
        },
      ],
      maxTokens: 5,
    });
    return content.map((block) => block.type).join();
  }),
  tool('listen-closely', {}, async (_, { sample }) => {
    const sound = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' } as const;
    const { model } = await sample({ messages: [{ role: 'user', content: sound }], maxTokens: 5 });
    return model;
  }),
  tool('delegate', {}, async (_, { sample }) => {
    const { stopReason } = await sample({
      messages: 'Use the tool',
      maxTokens: 5,
      tools: [{ name: 'lookup', inputSchema: { type: 'object' } }],
      toolChoice: { mode: 'required' },
    });
    return `stopped: ${stopReason}`;
  }),
  tool('where', {}, async (_, { roots }) => (await roots()).map(({ uri }) => uri).join(' ')),
  tool('order', {}, async (_, { elicit }) => {
    const answer = await elicit({
      message: 'What will it be?',
      schema: {
        type: 'object',
        properties: {
          drink: {
            type: 'string',
            oneOf: [
              { const: 't', title: 'Tea' },
              { const: 'c', title: 'Coffee' },
            ],
          },
          size: { type: 'string', enum: ['small', 'large'] },
          sugar: { type: 'integer', minimum: 0, maximum: 3 },
          milk: { type: 'boolean', default: false },
          email: { type: 'string', format: 'email' },
        },
        required: ['drink'],
      },
    });
    return JSON.stringify(answer);
  }),
  tool('toppings', {}, async (_, { elicit }) => {
    const answer = await elicit({
      message: 'Which toppings?',
      schema: {
        type: 'object',
        properties: { toppings: { type: 'array', items: { type: 'string', enum: ['olives', 'capers'] }, maxItems: 2 } },
      },
    });
    return JSON.stringify(answer);
  }),
  tool('at-once', {}, async (_, { elicit, roots, sample }) => {
    const [who, where, what] = await Promise.all([
      elicit({ key: 'who', message: 'Who?', schema: name }),
      roots({ key: 'where' }),
      sample({ key: 'what', messages: 'What?', maxTokens: 10 }),
    ]);
    return JSON.stringify([who.action === 'accept' && who.content.name, where.length, what.model]);
  }),
  tool(
    'interview',
    { input: { type: 'object', properties: { questions: { type: 'integer' } }, required: ['questions'] } },
    async ({ questions }, context) => {
      const names: string[] = [];
      for (let number = 1; number <= questions; number++) names.push(await askName(context));
      return names.join(' & ');
    },
  ),
  tool('if-possible', {}, async (_, { can, sample }) => {
    if (!can('sample')) return 'done without a model';
    return (await sample({ messages: 'Help', maxTokens: 1 })).model;
  }),
  tool('abilities', {}, (_, { can }) =>
    (['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const).filter((ability) => can(ability)).join(' '),
  ),
];

export const questionPrompts: Prompt[] = [
  prompt('personal', {}, async (_, context) => `Write to ${await askName(context)}`),
];

export const questionResources: Resource[] = [
  resource('ask://name', {}, async (_, context) => `Written by ${await askName(context)}`),
];
