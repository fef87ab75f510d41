import { type Context, type Tool, tool } from '@ccmcp/core';

const nameForm = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const okForm = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } as const;
const colorForm = { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] } as const;

const capital = { messages: 'What is the capital of France?', maxTokens: 100 };

async function confirmed({ elicit }: Context): Promise<string> {
  const { action } = await elicit({ key: 'confirm', message: 'Please confirm', schema: okForm });
  return action === 'accept' ? 'state-ok' : 'not confirmed';
}

/** Tools whose questions travel inside results: several rounds, several questions in one. */
export const roundTools: Tool[] = [
  tool('test_input_required_result_elicitation', { description: 'Asks for a name' }, async (_, { elicit }) => {
    const answer = await elicit({ key: 'user_name', message: 'What is your name?', schema: nameForm });
    return answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello, whoever you are!';
  }),

  tool('test_input_required_result_sampling', { description: 'Asks the model' }, async (_, { sample }) => {
    const { content } = await sample({ key: 'capital', ...capital });
    return JSON.stringify(content);
  }),

  tool('test_input_required_result_list_roots', { description: 'Asks for folders' }, async (_, { roots }) => {
    const found = await roots({ key: 'folders' });
    return found.map(({ uri, name }) => `${name ?? ''} ${uri}`).join('\n');
  }),

  tool('test_input_required_result_request_state', { description: 'Asks for a confirmation' }, (_, context) =>
    confirmed(context),
  ),

  tool('test_input_required_result_tampered_state', { description: 'Asks for a confirmation' }, (_, context) =>
    confirmed(context),
  ),

  tool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks three things at once' },
    async (_, context) => {
      const answers = await Promise.all([
        context.elicit({ key: 'user_name', message: 'What is your name?', schema: nameForm }),
        context.sample({ key: 'capital', ...capital }),
        context.roots({ key: 'folders' }),
      ]);
      return JSON.stringify(answers);
    },
  ),

  tool(
    'test_input_required_result_multi_round',
    { description: 'Asks one thing after the other' },
    async (_, context) => {
      const first = await context.elicit({ key: 'step1', message: 'Step 1', schema: nameForm });
      const second = await context.elicit({ key: 'step2', message: 'Step 2', schema: colorForm });
      return JSON.stringify([first, second]);
    },
  ),

  tool('test_input_required_result_capabilities', { description: 'Asks what the client can' }, async (_, context) => {
    const asked: Promise<unknown>[] = [];
    if (context.can('elicit')) asked.push(context.elicit({ key: 'user_name', message: 'Name?', schema: nameForm }));
    if (context.can('sample')) asked.push(context.sample({ key: 'capital', ...capital }));
    return JSON.stringify(await Promise.all(asked));
  }),
];
