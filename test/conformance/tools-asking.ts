import { type Tool, tool } from '@ccmcp/core';

/** Tools that ask the client questions. */
export const askingTools: Tool[] = [
  tool(
    'test_sampling',
    {
      description: 'Asks the model of the client',
      input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    },
    async ({ prompt }, { sample }) => {
      const { content } = await sample({ messages: prompt, maxTokens: 100 });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  ),

  tool(
    'test_elicitation',
    {
      description: 'Asks the user for a name and an address',
      input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
    async ({ message }, { elicit }) => {
      const answer = await elicit({
        message,
        schema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" },
          },
          required: ['username', 'email'],
        },
      });
      return `User response: ${JSON.stringify(answer)}`;
    },
  ),

  tool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with defaults of every kind' },
    async (_, { elicit }) => {
      const answer = await elicit({
        message: 'Please review and update the form fields with defaults',
        schema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'User name', default: 'John Doe' },
            age: { type: 'integer', description: 'User age', default: 30 },
            score: { type: 'number', description: 'User score', default: 95.5 },
            status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
            verified: { type: 'boolean', description: 'Verification status', default: true },
          },
        },
      });
      return `Elicitation completed: ${JSON.stringify(answer)}`;
    },
  ),

  tool('test_elicitation_sep1330_enums', { description: 'Asks with choices of every kind' }, async (_, { elicit }) => {
    const options = ['option1', 'option2', 'option3'];
    const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `Title of ${value}` }));
    const answer = await elicit({
      message: 'Please choose',
      schema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: options },
          titledSingle: { type: 'string', oneOf: titled },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option 1', 'Option 2', 'Option 3'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
          titledMulti: { type: 'array', items: { anyOf: titled } },
        },
      },
    });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  }),

  tool('test_missing_capability', { description: 'Needs sampling' }, async (_, { sample }) => {
    await sample({ messages: 'Anything', maxTokens: 10 });
    return 'sampled';
  }),

  tool(
    'test_streaming_elicitation',
    { description: 'Asks in the midst of its work' },
    async (_, { progress, elicit }) => {
      progress(1, 2);
      const schema = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;
      const { action } = await elicit({ message: 'Go on?', schema });
      progress(2, 2);
      return `action: ${action}`;
    },
  ),
];
