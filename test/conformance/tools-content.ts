import { setTimeout as wait } from 'node:timers/promises';
import { audio, embeddedResource, image, type Tool, ToolError, text, tool } from '@ccmcp/core';
import { png, wav } from './pixels.ts';

/** Tools with every kind of content, and with log messages and progress. */
export const contentTools: Tool[] = [
  tool('test_simple_text', { description: 'Answers with text' }, () => 'This is a simple text response for testing.'),

  tool('test_image_content', { description: 'Answers with a picture' }, () => image(png, 'image/png')),

  tool('test_audio_content', { description: 'Answers with a sound' }, () => audio(wav, 'audio/wav')),

  tool('test_embedded_resource', { description: 'Answers with a resource' }, () =>
    embeddedResource({
      uri: 'test://embedded-resource',
      mimeType: 'text/plain',
      text: 'This is an embedded resource content.',
    }),
  ),

  tool('test_multiple_content_types', { description: 'Answers with several kinds of content' }, () => [
    text('Multiple content types test:'),
    image(png, 'image/png'),
    embeddedResource({
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    }),
  ]),

  tool('test_tool_with_logging', { description: 'Writes log messages' }, async (_, { log }) => {
    log('info', 'Tool execution started');
    await wait(50);
    log('info', 'Tool processing data');
    await wait(50);
    log('info', 'Tool execution completed');
    return 'Tool with logging executed successfully';
  }),

  tool('test_logging_tool', { description: 'Writes a log message' }, (_, { log }) => {
    log('info', 'A log message');
    return 'logged';
  }),

  tool('test_tool_with_progress', { description: 'Reports progress' }, async (_, { progress }) => {
    progress(0, 100, 'Completed step 0 of 100');
    await wait(50);
    progress(50, 100, 'Completed step 50 of 100');
    await wait(50);
    progress(100, 100, 'Completed step 100 of 100');
    return 'done';
  }),

  tool('test_error_handling', { description: 'Always fails' }, () => {
    throw new ToolError('This tool intentionally returns an error for testing');
  }),

  tool('test_reconnection', { description: 'Lets the connection go before it answers' }, async (_, { disconnect }) => {
    await wait(100);
    await disconnect(500);
    await wait(100);
    return 'Reconnection test completed successfully';
  }),

  tool(
    'json_schema_2020_12_tool',
    {
      description: 'Has a schema with keywords of JSON Schema 2020-12',
      input: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // oxlint-disable-next-line unicorn/no-thenable
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      },
    },
    (args) => `Received: ${JSON.stringify(args)}`,
  ),

  tool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that travels in a header too',
      input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    },
    ({ region }) => `region: ${region ?? 'none'}`,
  ),
];
