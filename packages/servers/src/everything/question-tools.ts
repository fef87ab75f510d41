import { type Tool, ToolError, tool } from '@ccmcp/core';

const name = { type: 'object', properties: { name: { type: 'string', title: 'Name' } }, required: ['name'] } as const;
const sure = { type: 'object', properties: { sure: { type: 'boolean', title: 'Sure?' } }, required: ['sure'] } as const;

const titled = [
  { const: 's', title: 'Small' },
  { const: 'm', title: 'Medium' },
  { const: 'l', title: 'Large' },
];

const everyField = {
  type: 'object',
  properties: {
    text: { type: 'string', title: 'Text', description: 'Two to twenty characters', minLength: 2, maxLength: 20 },
    email: { type: 'string', format: 'email', title: 'E-mail' },
    page: { type: 'string', format: 'uri', title: 'Web page' },
    day: { type: 'string', format: 'date', title: 'Day' },
    time: { type: 'string', format: 'date-time', title: 'Date and time' },
    number: { type: 'number', title: 'Number', minimum: 0, maximum: 1, default: 0.5 },
    integer: { type: 'integer', title: 'Whole number', minimum: 1, maximum: 10, default: 3 },
    boolean: { type: 'boolean', title: 'Yes or no', default: true },
    choice: { type: 'string', title: 'Choice', enum: ['red', 'green', 'blue'], default: 'green' },
  },
  required: ['text', 'integer'],
} as const;

const choices = {
  type: 'object',
  properties: {
    one: { type: 'string', title: 'One', oneOf: titled },
    several: {
      type: 'array',
      title: 'Several',
      items: { type: 'string', enum: ['a', 'b', 'c'] },
      minItems: 1,
      maxItems: 2,
    },
    severalTitled: { type: 'array', title: 'Several with titles', items: { anyOf: titled } },
  },
  required: ['one'],
} as const;

/** Tools that ask the client, in all ways. */
export const questionTools: Tool[] = [
  tool('ask_form', { description: 'Asks the user to fill in a form with every kind of field' }, async (_, { elicit }) =>
    JSON.stringify(await elicit({ message: 'Please fill in what you like', schema: everyField })),
  ),

  tool(
    'ask_choices',
    { description: 'Asks with choices that have titles, and choices of several values' },
    async (_, { elicit }) => JSON.stringify(await elicit({ message: 'Please choose', schema: choices })),
  ),

  tool('ask_url', { description: 'Asks the user to open a web page' }, async (_, { elicit }) =>
    JSON.stringify(await elicit({ message: 'Please open this page', url: 'https://example.com/everything' })),
  ),

  tool(
    'ask_twice',
    { description: 'Asks a second question that depends on the first answer' },
    async (_, { elicit }) => {
      const first = await elicit({ key: 'name', message: 'What is your name?', schema: name });
      if (first.action !== 'accept') return `The first question: ${first.action}`;
      const second = await elicit({ key: 'sure', message: `Are you sure, ${first.content.name}?`, schema: sure });
      return second.action === 'accept'
        ? `${first.content.name}: ${second.content.sure}`
        : `The second question: ${second.action}`;
    },
  ),

  tool(
    'ask_together',
    { description: 'Asks for a form, a sample and roots at once, as far as the client can' },
    async (_, context) => {
      const { can, elicit, sample, roots } = context;
      const asked: Promise<unknown>[] = [];
      if (can('elicit')) asked.push(elicit({ key: 'name', message: 'What is your name?', schema: name }));
      if (can('sample'))
        asked.push(sample({ key: 'capital', messages: 'What is the capital of France?', maxTokens: 50 }));
      if (can('roots')) asked.push(roots({ key: 'roots' }));
      if (asked.length === 0) throw new ToolError('This client can be asked nothing');
      return JSON.stringify(await Promise.all(asked));
    },
  ),

  tool(
    'ask_during_work',
    { description: 'Asks between two steps that report progress' },
    async (_, { elicit, progress }) => {
      progress(1, 2, 'Before the question');
      const { action } = await elicit({ message: 'Go on?', schema: sure });
      progress(2, 2, 'After the question');
      return `The answer: ${action}`;
    },
  ),

  tool(
    'sample',
    {
      description: "Asks the client's model",
      input: { type: 'object', properties: { prompt: { type: 'string', default: 'Say hello' } } },
    },
    async ({ prompt = 'Say hello' }, { sample }) => {
      const { content, model } = await sample({
        messages: prompt,
        maxTokens: 200,
        systemPrompt: 'Answer in one sentence.',
        temperature: 0,
        modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
      });
      return `${model}: ${JSON.stringify(content)}`;
    },
  ),

  tool(
    'sample_with_tools',
    { description: "Asks the client's model, which may use a tool of this request" },
    async (_, { sample }) => {
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: 'What is 17 + 25? Use the tool.' } },
      ];
      const { content } = await sample({
        messages,
        maxTokens: 200,
        tools: [
          {
            name: 'add',
            description: 'Adds two numbers',
            inputSchema: {
              type: 'object',
              properties: { a: { type: 'number' }, b: { type: 'number' } },
              required: ['a', 'b'],
            },
          },
        ],
        toolChoice: { mode: 'auto' },
      });
      return JSON.stringify(content);
    },
  ),

  tool('roots', { description: 'Asks which folders the client works in' }, async (_, { roots }) =>
    JSON.stringify(await roots()),
  ),
];
