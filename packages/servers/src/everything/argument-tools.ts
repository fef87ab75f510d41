import { type Tool, tool } from '@ccmcp/core';

const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

/** Tools whose arguments use many keywords of JSON Schema. */
export const argumentTools: Tool[] = [
  tool(
    'echo',
    {
      title: 'Echo',
      description: 'Returns the message',
      annotations,
      input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    },
    ({ message }) => message,
  ),

  tool(
    'add',
    {
      title: 'Add two numbers',
      description: 'Returns the sum of two numbers',
      annotations,
      input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    },
    ({ a, b }) => a + b,
  ),

  tool(
    'arguments',
    {
      description: 'Takes arguments of every type, all optional, and returns them as JSON',
      annotations,
      input: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 100, default: 'a text' },
          pattern: { type: 'string', pattern: '^[a-z]+-[0-9]+$', examples: ['abc-123'] },
          email: { type: 'string', format: 'email' },
          date: { type: 'string', format: 'date' },
          integer: { type: 'integer', minimum: 0, maximum: 10 },
          number: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
          boolean: { type: 'boolean' },
          nothing: { type: 'null' },
          nullable: { type: ['string', 'null'] },
          choice: { type: 'string', enum: ['red', 'green', 'blue'] },
          titled: {
            oneOf: [
              { const: 's', title: 'Small' },
              { const: 'l', title: 'Large' },
            ],
          },
          tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5, uniqueItems: true },
          pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
          object: {
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
            required: ['city'],
            additionalProperties: false,
          },
          map: { type: 'object', additionalProperties: { type: 'number' } },
          shape: {
            oneOf: [
              {
                type: 'object',
                properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
                required: ['kind', 'radius'],
              },
              {
                type: 'object',
                properties: { kind: { const: 'square' }, side: { type: 'number' } },
                required: ['kind', 'side'],
              },
            ],
          },
          tree: { $ref: '#/$defs/tree' },
        },
        additionalProperties: false,
        $defs: {
          tree: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              children: { type: 'array', items: { $ref: '#/$defs/tree' } },
            },
            required: ['name'],
          },
        },
      },
    },
    (received) => JSON.stringify(received),
  ),

  tool(
    'header_argument',
    {
      description: 'Takes an argument that clients of the newest revision repeat in the HTTP header Mcp-Param-Region',
      annotations,
      input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    },
    ({ region = 'none' }) => `Region: ${region}`,
  ),

  tool(
    'who_am_i',
    { description: 'Returns what the server knows of its client', annotations: { readOnlyHint: true } },
    (_, { clientInfo, clientCapabilities, auth, can }) => {
      const abilities = (['elicit', 'elicit-url', 'sample', 'sample-tools', 'roots'] as const).filter((each) =>
        can(each),
      );
      const caller = auth && { principal: auth.principal, scopes: auth.scopes };
      return { clientInfo: clientInfo ?? null, clientCapabilities, abilities, caller: caller ?? null };
    },
  ),
];
