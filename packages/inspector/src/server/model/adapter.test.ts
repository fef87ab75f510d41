import { describe, expect, it } from 'vitest';
import { anthropic } from './anthropic.ts';
import { openai } from './openai.ts';
import { type SampleParams, ToolNameMap, type ModelAdapter } from './adapter.ts';

const pixel = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const sound = { type: 'audio', data: 'BBBB', mimeType: 'audio/wav' };

const endpoint = 'http://127.0.0.1:1/';

function encodeRequest(to: ModelAdapter, params: SampleParams): Record<string, unknown> {
  return to.request({ params, model: 'm', maxTokens: 50, endpoint }, new ToolNameMap());
}

function user(...content: object[]): SampleParams {
  return { messages: [{ role: 'user', content }], maxTokens: 50 };
}

const usingTools: SampleParams = {
  systemPrompt: 'Be short.',
  temperature: 0.2,
  stopSequences: ['END'],
  maxTokens: 50,
  metadata: { service_tier: 'dearest' },
  includeContext: 'allServers',
  tools: [{ name: 'weather.now', description: 'The weather', inputSchema: { properties: { in: { type: 'string' } } } }],
  toolChoice: { mode: 'required' },
  messages: [
    { role: 'user', content: { type: 'text', text: 'How is it?' } },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'u1', name: 'weather.now', input: { in: 'Rome' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: 'no such town' }], isError: true },
      ],
    },
  ],
};

describe('a sampling request', () => {
  it('is encoded completely for Anthropic, with tools and their results', () => {
    expect(encodeRequest(anthropic, usingTools)).toEqual({
      model: 'm',
      max_tokens: 50,
      system: 'Be short.',
      temperature: 0.2,
      stop_sequences: ['END'],
      tools: [
        {
          name: 'weather_now',
          description: 'The weather',
          input_schema: { type: 'object', properties: { in: { type: 'string' } } },
        },
      ],
      tool_choice: { type: 'any' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'How is it?' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'u1', name: 'weather_now', input: { in: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'u1',
              content: [{ type: 'text', text: 'no such town' }],
              is_error: true,
            },
          ],
        },
      ],
    });
  });

  it('is encoded completely for OpenAI, with tools and their results', () => {
    expect(encodeRequest(openai, usingTools)).toEqual({
      model: 'm',
      max_tokens: 50,
      temperature: 0.2,
      stop: ['END'],
      tools: [
        {
          type: 'function',
          function: {
            name: 'weather_now',
            description: 'The weather',
            parameters: { type: 'object', properties: { in: { type: 'string' } } },
          },
        },
      ],
      tool_choice: 'required',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'How is it?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'u1', type: 'function', function: { name: 'weather_now', arguments: '{"in":"Rome"}' } }],
        },
        { role: 'tool', tool_call_id: 'u1', content: 'The tool failed: no such town' },
      ],
    });
  });

  it("uses the token limit parameter of OpenAI's own service", () => {
    const params = user({ type: 'text', text: 'x' });
    const own = { params, model: 'm', maxTokens: 50, endpoint: 'https://api.openai.com/v1/chat/completions' };
    expect(openai.request(own, new ToolNameMap())).toMatchObject({ max_completion_tokens: 50 });
    expect(openai.request(own, new ToolNameMap())).not.toHaveProperty('max_tokens');
  });

  it('contains images and audio where the service accepts them', () => {
    expect(encodeRequest(anthropic, user(pixel))).toMatchObject({
      messages: [{ content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] }],
    });
    expect(encodeRequest(openai, user({ type: 'text', text: 'x' }, pixel, sound))).toMatchObject({
      messages: [
        {
          content: [
            { type: 'text', text: 'x' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
            { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
          ],
        },
      ],
    });
  });

  it.each([
    ['sound', anthropic, user(sound), 'does not accept audio'],
    ['an odd picture', anthropic, user({ ...pixel, mimeType: 'image/tiff' }), 'no image/tiff'],
    ['an odd sound', openai, user({ ...sound, mimeType: 'audio/flac' }), 'no audio/flac'],
    [
      'a picture of a tool',
      openai,
      user({ type: 'tool_result', toolUseId: 'a', content: [pixel] }),
      'no pictures as what a tool gave',
    ],
    [
      'bytes of a tool',
      anthropic,
      user({ type: 'tool_result', toolUseId: 'a', content: [{ type: 'resource', resource: { blob: 'AA' } }] }),
      'no text',
    ],
  ])('is rejected with a reason if the service does not accept %s', (_, to, params, message) => {
    expect(() => encodeRequest(to, params)).toThrow(message);
  });

  it.each([
    ['no messages', {}],
    ['empty messages', { messages: [] }],
    ['a message that is none', { messages: ['x'] }],
    ['a role that is none', { messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
    ['no content', { messages: [{ role: 'user' }] }],
    ['a content of no kind', user({})],
    ['a text that is none', user({ type: 'text', text: { toString: 'x' } })],
    ['tools that are none', { ...user({ type: 'text', text: 'x' }), tools: 'all' }],
    ['a tool without a name', { ...user({ type: 'text', text: 'x' }), tools: [{}] }],
    ['a use without input', { messages: [{ role: 'assistant', content: { type: 'tool_use', id: 'a', name: 'b' } }] }],
    ['a picture whose type is an address', user({ ...pixel, mimeType: 'image/png,x' })],
  ])('is rejected if it has %s', (_, params) => {
    for (const to of [anthropic, openai]) {
      expect(() => encodeRequest(to, params)).toThrow(/violates the protocol|Anthropic takes PNG/);
    }
  });

  it('keeps tool names distinct that services would conflate', () => {
    const names = new ToolNameMap();
    expect(['a.b', 'a/b', 'a_b', 'a.b'].map((name) => names.toService(name))).toEqual(['a_b', 'a_b_2', 'a_b_3', 'a_b']);
    expect(['a_b', 'a_b_2', 'a_b_3', 'new'].map((name) => names.toServer(name))).toEqual(['a.b', 'a/b', 'a_b', 'new']);
  });
});

describe('an answer', () => {
  const prompt = { params: {}, model: 'm', maxTokens: 50, endpoint };

  it.each([
    ['end_turn', 'endTurn'],
    ['stop_sequence', 'stopSequence'],
    ['max_tokens', 'maxTokens'],
    ['refusal', 'refusal'],
  ])('of Anthropic ends with %s as %s', (theirs, ours) => {
    const body = { content: [{ type: 'text', text: 'a' }], stop_reason: theirs };
    expect(anthropic.answer(body, prompt, new ToolNameMap())?.draft.stopReason).toBe(ours);
  });

  it.each([
    ['stop', 'endTurn'],
    ['length', 'maxTokens'],
    ['content_filter', 'content_filter'],
  ])('of OpenAI ends with %s as %s', (theirs, ours) => {
    const body = { choices: [{ message: { content: 'a' }, finish_reason: theirs }] };
    expect(openai.answer(body, prompt, new ToolNameMap())?.draft.stopReason).toBe(ours);
  });

  it('is a single block if it is only text, which every revision understands', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'one ' },
      { type: 'text', text: 'two' },
    ];
    const given = anthropic.answer({ content, stop_reason: 'end_turn' }, prompt, new ToolNameMap());
    expect(given?.draft.content).toEqual({ type: 'text', text: 'one two' });
  });

  it("contains tool uses under the server's tool names", () => {
    const names = new ToolNameMap();
    const given = names.toService('weather.now');
    const use = { type: 'tool_use', id: 'u1', name: 'weather.now', input: { in: 'Rome' } };
    const byAnthropic = {
      content: [
        { type: 'text', text: 'I look.' },
        { ...use, name: given },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const expected = {
      draft: { content: [{ type: 'text', text: 'I look.' }, use], stopReason: 'toolUse' },
      usage: { input: 3, output: 4 },
    };
    expect(anthropic.answer(byAnthropic, prompt, names)).toMatchObject(expected);
    const call = { id: 'u1', type: 'function', function: { name: given, arguments: '{"in":"Rome"}' } };
    const byOpenai = {
      choices: [{ message: { content: 'I look.', tool_calls: [call] }, finish_reason: 'tool_calls' }],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    expect(openai.answer(byOpenai, prompt, names)).toMatchObject(expected);
  });

  it('is rejected if tool arguments are not JSON', () => {
    const call = { id: 'u1', function: { name: 'x', arguments: '{"in":' } };
    const body = { choices: [{ message: { tool_calls: [call] } }] };
    expect(() => openai.answer(body, prompt, new ToolNameMap())).toThrow('arguments that are no JSON');
  });

  it.each([[null], ['text'], [{}], [{ choices: [] }], [{ content: 'x' }], [[]]])('is not parsed from %j', (body) => {
    expect(anthropic.answer(body, prompt, new ToolNameMap())).toBeUndefined();
    expect(openai.answer(body, prompt, new ToolNameMap())).toBeUndefined();
  });
});
