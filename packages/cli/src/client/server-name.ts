import { scriptOf } from '../programs.ts';
import { self, type Target } from './target.ts';

type CommandTarget = Extract<Target, { kind: 'command' }>;

/** What a started server is called when it is spoken of: the user's own file, not the program that runs it. */
export function serverName(target: CommandTarget): string {
  // What this program serves itself, and what is configured, has the name that the user typed.
  const isNamed = target.args[0] === self()[1] || target.configured !== undefined;
  return (isNamed ? undefined : scriptOf(target)) ?? target.label;
}
