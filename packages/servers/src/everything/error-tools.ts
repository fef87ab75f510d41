import { ErrorCode, ProtocolError, type Tool, ToolError, text, tool } from '@ccmcp/core';

/** Tools that fail, each in another way. */
export const errorTools: Tool[] = [
  tool('tool_error', { description: 'Fails with an error for the model: a result with isError' }, () => {
    throw new ToolError('The tool failed, as intended', [text('The tool failed, as intended'), text('A second block')]);
  }),

  tool('exception', { description: 'Throws an unexpected exception, whose text must not reach the client' }, () => {
    throw new Error('This text stays in the log of the server');
  }),

  tool(
    'protocol_error',
    {
      description: 'Fails with an error of JSON-RPC, with data',
      input: {
        type: 'object',
        properties: { code: { type: 'integer', minimum: -32_099, maximum: -32_000, default: -32_050 } },
      },
    },
    ({ code = -32_050 }) => {
      throw new ProtocolError(code, 'The request failed, as intended', { reason: 'intended', retry: false });
    },
  ),

  tool(
    'invalid_result',
    {
      description: 'Returns a result that does not fit its output schema: an error, in place of the result',
      output: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    },
    () => ({ count: 'many' }) as never,
  ),

  tool('internal_error', { description: 'Fails with the JSON-RPC error for internal errors' }, () => {
    throw new ProtocolError(ErrorCode.InternalError, 'Internal error, as intended');
  }),
];
