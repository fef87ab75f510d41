import { createServer, type LogLevel, type Server, stderrLogger } from '@ccmcp/core';
import { apps } from '@ccmcp/core/apps';
import { skills } from '@ccmcp/core/skills';
import { notePrompts } from './prompts.ts';
import { noteTemplate } from './resources.ts';
import { meetingMinutes } from './skills/meeting-minutes.ts';
import type { Store } from './store.ts';
import { noteTools } from './tools.ts';

/** Makes the server that offers a store's notes. */
export function assemble(store: Store, { logLevel }: { logLevel: LogLevel }): Server {
  const server = createServer({
    name: 'notes-server',
    version: '0.1.0',
    title: 'Notes',
    instructions:
      'Notes that are kept for good. Look with search_notes before you create one. ' +
      'Give expected_updated_at when you change a note that you read before.',
    tools: noteTools(store),
    templates: [noteTemplate(store)],
    prompts: notePrompts(store),
    extensions: [apps(), skills(meetingMinutes, { listed: 'none' })],
    logLevel,
    logger: stderrLogger(logLevel),
  });
  store.announceTo(server);
  return server;
}
