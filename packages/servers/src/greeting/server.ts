import { createServer, type Server, type Tool } from '@ccmcp/core';

const input = {
  type: 'object',
  properties: { value: { type: 'string', description: 'User name to greet' } },
  required: ['value'],
} as const;

/** A tool written as a class: a name, a description of itself and a method that does the work. */
class HelloTool implements Tool {
  readonly name = 'HelloTool';
  readonly description = 'A tool that greets users';
  readonly input = input;

  call({ value }: { value: string }): string {
    return `Hello-bonjour ${value}!`;
  }
}

/** Creates the greeting server, the smallest example: one tool, written as a class. */
export function greetingServer(): Server {
  return createServer({
    name: 'GreetingServer',
    version: '1.0.0',
    tools: [new HelloTool()],
    capabilities: { logging: false, listChanged: false },
  });
}
