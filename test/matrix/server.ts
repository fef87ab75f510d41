import { createServer, type Server, type ServerOptions } from '@ccmcp/core';
import { prompts } from './offered/prompts.ts';
import { questionPrompts, questionResources, questionTools } from './offered/questions.ts';
import { resources, templates } from './offered/resources.ts';
import { tools } from './offered/tools.ts';

/** A server with every feature, written like a user's server. */
export function everything(settings: Partial<ServerOptions> = {}): Server {
  return createServer({
    name: 'everything',
    version: '1.2.3',
    title: 'Everything',
    description: 'A server with all there is',
    websiteUrl: 'https://example.com/everything',
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    instructions: 'Try everything once.',
    tools: [...tools, ...questionTools],
    resources: [...resources, ...questionResources],
    templates,
    prompts: [...prompts, ...questionPrompts],
    ...settings,
  });
}
