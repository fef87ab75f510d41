import { createServer, type Server, type Tool } from '@ccmcp/core';

const input = {
  type: 'object',
  properties: { value: { type: 'string', description: 'Who to greet' } },
  required: ['value'],
} as const;

/** A tool written as a class: a name, a description of itself and a method that does the work. */
class HelloTool implements Tool {
  readonly name = 'HelloTool';
  readonly description = 'Greets in two languages';
  readonly input = input;
  readonly annotations = { readOnlyHint: true, openWorldHint: false };

  call({ value }: { value: string }): string {
    return `Hello-bonjour ${value}!`;
  }
}

/** The smallest ready-made server. */
export function greetingServer(): Server {
  return createServer({ name: 'GreetingServer', version: '1.0.0', tools: [new HelloTool()] });
}
