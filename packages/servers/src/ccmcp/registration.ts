import { limits as coreLimits, type Server, type Tool, ToolError, tool } from '@ccmcp/core';
import { parseTextTemplate, TemplateError, type TextTemplate } from './text-template.ts';
import { limits } from '../limits.ts';

const maxName = coreLimits.server.toolName.value;
const maxRegistered = limits.ccmcp.registeredTools.value;
const maxDescription = limits.ccmcp.description.value;

/** Tools that make and remove other tools while the server runs. What they make lives as long as the server does. */
export function registrationTools(server: Server): Tool[] {
  const registered = new Set<string>();
  const tellReaders = (): void => {
    server.resources.updated('config://server');
    server.resources.updated('help://commands');
  };

  const registerTool = tool(
    'register_tool',
    {
      description: 'Make a new tool from a text with {placeholders}; each placeholder becomes a required argument',
      input: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            pattern: `^[A-Za-z0-9_.-]{1,${maxName}}$`,
            description: `Name of the new tool: 1 to ${maxName} of the characters A-Z a-z 0-9 _ . -`,
          },
          description: { type: 'string', maxLength: maxDescription, description: 'What the new tool does' },
          template: { type: 'string', description: 'Such as: The answer to {question} is 42' },
        },
        required: ['name', 'description', 'template'],
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    ({ name, description, template }) => {
      if (server.tools.has(name) && !registered.has(name)) {
        throw new ToolError(`"${name}" is a built-in tool and can't be replaced: choose another name`);
      }
      if (registered.size >= maxRegistered && !registered.has(name)) {
        throw new ToolError(`There are already ${maxRegistered} registered tools: unregister some first`);
      }
      const made = textTool(name, description, parse(template));
      const replaced = server.tools.remove(name);
      server.tools.add(made);
      registered.add(name);
      tellReaders();
      return `${replaced ? 'Replaced' : 'Registered'} tool: ${name}`;
    },
  );

  const unregisterTool = tool(
    'unregister_tool',
    {
      description: 'Remove a tool that was made with register_tool',
      input: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Name of the tool to remove' } },
        required: ['name'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    },
    ({ name }) => {
      if (registered.delete(name)) {
        server.tools.remove(name);
        tellReaders();
        return `Unregistered tool: ${name}`;
      }
      if (server.tools.has(name)) throw new ToolError(`"${name}" is a built-in tool and can't be unregistered`);
      throw new ToolError(`There is no registered tool with this name${nameHint(registered)}`);
    },
  );

  return [registerTool, unregisterTool];
}

function parse(template: string): TextTemplate {
  try {
    return parseTextTemplate(template);
  } catch (error) {
    throw error instanceof TemplateError ? new ToolError(`Template: ${error.message}`) : error;
  }
}

function textTool(name: string, description: string, template: TextTemplate): Tool {
  const properties = Object.fromEntries(template.placeholders.map((placeholder) => [placeholder, { type: 'string' }]));
  const input = { type: 'object', properties, required: template.placeholders, additionalProperties: false } as const;
  return tool(name, { description, input, annotations: { readOnlyHint: true, openWorldHint: false } }, (args) => {
    try {
      return template.render(args as Record<string, string>);
    } catch (error) {
      throw error instanceof TemplateError ? new ToolError(error.message) : error;
    }
  });
}

function nameHint(registered: ReadonlySet<string>): string {
  return registered.size === 0 ? ': none is registered' : `. Registered: ${[...registered].slice(0, 20).join(', ')}`;
}
