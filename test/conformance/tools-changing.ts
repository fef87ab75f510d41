import { prompt, type Server, type Tool, tool } from '@ccmcp/core';

/** Tools that change the server's lists. */
export function changingTools(server: Server): Tool[] {
  return [
    tool('test_trigger_tool_change', { description: 'Changes the list of tools' }, () => {
      server.tools.add(tool('test_passing_tool', { description: 'Is gone at once' }, () => ''));
      server.tools.remove('test_passing_tool');
      return 'changed';
    }),

    tool('test_trigger_prompt_change', { description: 'Changes the list of prompts' }, () => {
      server.prompts.add(prompt('test_passing_prompt', { description: 'Is gone at once' }, () => ''));
      server.prompts.remove('test_passing_prompt');
      return 'changed';
    }),
  ];
}
