import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../protocol/content.ts';
import type { ElicitParams, SampleParams } from '../protocol/questions.ts';
import type { ToolListing, WireSchema } from '../protocol/listing.ts';
import { revisions } from './history.ts';
import type { Downgrades, Revision } from './revision.ts';

const versions = revisions.map(({ version }) => version);

function downgradesOf(version: string): Downgrades {
  return (revisions.find((revision) => revision.version === version) as Revision).downgrade;
}

const sound = {
  type: 'audio',
  data: 'UklGRg==',
  mimeType: 'audio/wav',
  annotations: { priority: 1 },
  _meta: { a: 1 },
} as const;
const link = { type: 'resource_link', uri: 'a://b', name: 'b' } as const;
const words = { type: 'text', text: 'x' } as const;
const picture = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' } as const;
const embedded = { type: 'resource', resource: { uri: 'a://b', text: 'x' } } as const;

const soundAsFile = {
  type: 'resource',
  resource: { uri: 'embedded://audio', mimeType: 'audio/wav', blob: 'UklGRg==' },
  annotations: { priority: 1 },
  _meta: { a: 1 },
};

function toolContent(version: string, content: ContentBlock[]): unknown {
  const result = { content, isError: false };
  return (downgradesOf(version)['tools/call']?.(result, {}) ?? result).content;
}

function promptContent(version: string, content: ContentBlock): unknown {
  const result = { messages: [{ role: 'user' as const, content }] };
  return (downgradesOf(version)['prompts/get']?.(result) ?? result).messages;
}

describe.each(versions)('content for %s', (version) => {
  it('keeps text, images and embedded resources', () => {
    expect(toolContent(version, [words, picture, embedded])).toEqual([words, picture, embedded]);
    for (const block of [words, picture, embedded]) {
      expect(promptContent(version, block)).toEqual([{ role: 'user', content: block }]);
    }
  });

  it('has audio, or an embedded file with the same members', () => {
    const downgraded = version === '2024-11-05' ? soundAsFile : sound;
    expect(toolContent(version, [words, sound])).toEqual([words, downgraded]);
    expect(promptContent(version, sound)).toEqual([{ role: 'user', content: downgraded }]);
  });

  it('has links, or text instead', () => {
    const downgraded = version < '2025-06-18' ? { type: 'text', text: 'b: a://b' } : link;
    expect(toolContent(version, [link])).toEqual([downgraded]);
    expect(promptContent(version, link)).toEqual([{ role: 'user', content: downgraded }]);
  });
});

it('a link with a title is shown by its title', () => {
  expect(toolContent('2025-03-26', [{ ...link, title: 'A thing' }])).toEqual([
    { type: 'text', text: 'A thing: a://b' },
  ]);
});

it('does not change what a handler returned', () => {
  const content: ContentBlock[] = [sound, link];
  toolContent('2024-11-05', content);
  expect(content).toEqual([sound, link]);
});

describe.each(versions.slice(0, 4))('structured content for %s', (version) => {
  const downgraded = (structuredContent: unknown, outputSchema?: WireSchema): unknown => {
    const result = { content: [], structuredContent, isError: false };
    return downgradesOf(version)['tools/call']?.(result, outputSchema === undefined ? {} : { outputSchema })
      .structuredContent;
  };

  it('is unchanged if it is an object', () => {
    expect(downgraded({ a: 1 })).toEqual({ a: 1 });
    expect(downgraded({ a: 1 }, { type: 'object' })).toEqual({ a: 1 });
  });

  it.each([[[1]], ['x'], [0], [false], [null], ['']])('is wrapped if it is %j', (value) => {
    expect(downgraded(value)).toEqual({ result: value });
    expect(downgraded(value, { type: 'array' })).toEqual({ result: value });
  });

  it('depends on the schema, not on the value: an object may match several schemas', () => {
    expect(downgraded({ a: 1 }, { anyOf: [{ type: 'object' }, { type: 'null' }] })).toEqual({ result: { a: 1 } });
  });

  it('is not added if it is missing', () => {
    const result = { content: [], isError: true };
    expect(downgradesOf(version)['tools/call']?.(result, { outputSchema: { type: 'array' } })).toEqual(result);
  });
});

describe.each(versions.slice(0, 4))('schemas for %s', (version) => {
  const downgraded = (tool: Partial<ToolListing>): ToolListing => {
    const tools = [{ name: 't', inputSchema: { type: 'object' }, ...tool }];
    return downgradesOf(version)['tools/list']?.({ tools }).tools[0] as ToolListing;
  };
  const wrapped = (schema: WireSchema): unknown => {
    const { outputSchema } = downgraded({ outputSchema: schema });
    expect(outputSchema).toMatchObject({ type: 'object', required: ['result'] });
    const { properties } = outputSchema as { properties?: { result: unknown } };
    return properties?.result;
  };

  it('of objects are unchanged', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
    expect(downgraded({ inputSchema: schema, outputSchema: schema })).toEqual({
      name: 't',
      inputSchema: schema,
      outputSchema: schema,
    });
  });

  it('have objects instead of booleans as properties of the root', () => {
    const schema = { type: 'object', properties: { any: true, none: false, a: { properties: { b: true } } } };
    const plain = { type: 'object', properties: { any: {}, none: { not: {} }, a: { properties: { b: true } } } };
    expect(downgraded({ inputSchema: schema, outputSchema: schema })).toEqual({
      name: 't',
      inputSchema: plain,
      outputSchema: plain,
    });
    expect(downgraded({ inputSchema: schema })).toEqual({ name: 't', inputSchema: plain });
  });

  it('of output that is not an object are wrapped, and keep their dialect at the root', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    expect(downgraded({ outputSchema: { $schema, type: 'array', items: { type: 'number' } } }).outputSchema).toEqual({
      $schema,
      type: 'object',
      properties: { result: { type: 'array', items: { type: 'number' } } },
      required: ['result'],
    });
    expect(downgraded({ outputSchema: { enum: [1, 'a', null] } }).outputSchema).toEqual({
      type: 'object',
      properties: { result: { enum: [1, 'a', null] } },
      required: ['result'],
    });
  });

  it('that are wrapped have their references rebased in every subschema', () => {
    const at = (ref: string): object => ({ $ref: ref });
    expect(
      wrapped({
        anyOf: [at('#'), at('#/$defs/a'), at('#/anyOf/0')],
        items: at('#'),
        prefixItems: [at('#')],
        not: at('#'),
        additionalProperties: at('#'),
        properties: { a: at('#'), $ref: at('#'), default: at('#'), enum: at('#'), $id: at('#') },
        patternProperties: { '^x': at('#') },
        dependentSchemas: { const: at('#') },
        $defs: { a: at('#'), examples: at('#/$defs/a') },
        if: { $dynamicRef: '#' },
      }),
    ).toEqual({
      anyOf: [at('#/properties/result'), at('#/properties/result/$defs/a'), at('#/properties/result/anyOf/0')],
      items: at('#/properties/result'),
      prefixItems: [at('#/properties/result')],
      not: at('#/properties/result'),
      additionalProperties: at('#/properties/result'),
      properties: {
        a: at('#/properties/result'),
        $ref: at('#/properties/result'),
        default: at('#/properties/result'),
        enum: at('#/properties/result'),
        $id: at('#/properties/result'),
      },
      patternProperties: { '^x': at('#/properties/result') },
      dependentSchemas: { const: at('#/properties/result') },
      $defs: { a: at('#/properties/result'), examples: at('#/properties/result/$defs/a') },
      if: { $dynamicRef: '#/properties/result' },
    });
  });

  it('that are wrapped keep external references, and values that only look like references', () => {
    const schema = {
      anyOf: [{ $ref: '#anchor' }, { $ref: 'https://example.com/s#/a' }, { $ref: '#a/b' }],
      const: { $ref: '#' },
      enum: [{ $ref: '#' }],
      default: { $ref: '#' },
      examples: [{ $ref: '#' }],
      $defs: { own: { $id: 'https://example.com/own', items: { $ref: '#' } } },
    };
    expect(wrapped(schema)).toEqual(schema);
  });
});

function form(properties: Record<string, WireSchema>): ElicitParams {
  return { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties } };
}

const page: ElicitParams = { mode: 'url', message: 'm', url: 'https://example.com/' };

describe('a form', () => {
  const downgraded = (version: string, properties: Record<string, WireSchema>): unknown => {
    const downgrade = downgradesOf(version)['elicitation/create'] as (params: ElicitParams) => {
      requestedSchema: WireSchema;
    };
    return downgrade(form(properties)).requestedSchema.properties;
  };
  const titled = { drink: { type: 'string', title: 'Drink', oneOf: [{ const: 't', title: 'Tea' }, { const: 'c' }] } };

  it('has titles beside its choices in 2025-06-18, and no titles without', () => {
    expect(downgraded('2025-06-18', titled)).toEqual({
      drink: { type: 'string', title: 'Drink', enum: ['t', 'c'], enumNames: ['Tea', 'c'] },
    });
  });

  it('has titles in its choices in 2025-11-25', () => {
    expect(downgraded('2025-11-25', titled)).toEqual(titled);
  });

  it('keeps every other field', () => {
    const plain = { a: { type: 'string', enum: ['x'] }, b: { type: 'boolean', default: true }, c: { type: 'integer' } };
    expect(downgraded('2025-06-18', plain)).toEqual(plain);
  });

  it('can not have multiple choice in 2025-06-18', () => {
    const several = { a: { type: 'array', items: { type: 'string', enum: ['x'] } } };
    expect(() => downgraded('2025-06-18', several)).toThrow(
      expect.objectContaining({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } }),
    );
    expect(downgraded('2025-11-25', several)).toEqual(several);
  });
});

describe('a URL elicitation', () => {
  it('does not exist in 2025-06-18', () => {
    expect(() => downgradesOf('2025-06-18')['elicitation/create']?.(page)).toThrow(
      expect.objectContaining({ code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } }),
    );
  });

  it('has an id in 2025-11-25, its own or a new one each time', () => {
    const downgrade = downgradesOf('2025-11-25')['elicitation/create'] as (params: ElicitParams) => {
      elicitationId?: string;
    };
    const [first, second] = [downgrade(page), downgrade(page)];
    expect(first).toEqual({ ...page, elicitationId: expect.any(String) });
    expect(first.elicitationId).not.toBe(second.elicitationId);
    expect(downgrade({ ...page, elicitationId: 'mine' })).toEqual({ ...page, elicitationId: 'mine' });
  });
});

describe('a sampling request', () => {
  const ask = (version: string, content: SampleParams['messages'][number]['content']): unknown => {
    const params: SampleParams = { messages: [{ role: 'user', content, _meta: { a: 1 } }], maxTokens: 1 };
    return (downgradesOf(version)['sampling/createMessage']?.(params) ?? params).messages;
  };

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])('is one block for each message in %s', (version) => {
    expect(ask(version, [words, picture])).toEqual([
      { role: 'user', content: words, _meta: { a: 1 } },
      { role: 'user', content: picture, _meta: { a: 1 } },
    ]);
    expect(ask(version, words)).toEqual([{ role: 'user', content: words, _meta: { a: 1 } }]);
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18'])('can not hold the use of tools in %s', (version) => {
    const use = { type: 'tool_use', id: 't', name: 'n', input: {} } as const;
    const outcome = { type: 'tool_result', toolUseId: 't', content: [] } as const;
    for (const block of [use, outcome]) {
      expect(() => ask(version, [words, block as never])).toThrow(
        expect.objectContaining({ code: -32021, data: { requiredCapabilities: { sampling: { tools: {} } } } }),
      );
    }
  });

  it('can not contain audio in 2024-11-05', () => {
    expect(() => ask('2024-11-05', [words, sound as never])).toThrow(expect.objectContaining({ code: -32021 }));
    expect(ask('2025-03-26', sound as never)).toMatchObject([{ content: sound }]);
  });

  it.each(['2025-11-25', '2026-07-28'])('is as the author wrote it in %s', (version) => {
    expect(ask(version, [words, picture])).toEqual([{ role: 'user', content: [words, picture], _meta: { a: 1 } }]);
  });
});
