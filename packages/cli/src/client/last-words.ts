import { ownStack } from '../own-frames.ts';

/** The end of what a process said; where that is a stack, what was thrown and where. */
export function lastWords(stderr: string): string {
  const [, thrown] = /^((?:[\w.]*Error|Uncaught)\b.*(?:\n.*)*?(?:\n\s+at .*)+)/m.exec(stderr) ?? [];
  if (thrown === undefined) return stderr.trim().split('\n').slice(-5).join('\n');
  const { message, frames } = ownStack(thrown);
  return [message, ...frames.map((frame) => `    ${frame}`)].join('\n');
}
