import type { ServerName } from './servers.ts';

/** What each ready-made server is for, in a line. */
export const aboutServers: Readonly<Record<ServerName, string>> = {
  ccmcp: 'a few simple tools, files inside one folder, tools made while it runs (the default)',
  moonphase: "the moon's age, illumination and phase at any time",
  notes: 'notes that are kept, searched and shared between programs',
  miniagent: 'English verbs in all their forms, and common ones in Spanish',
  greeting: 'one tool that greets: the smallest example',
};
