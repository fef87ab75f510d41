import type { Progress } from '@ccmcp/core/client';

/** How wide the bar is; the rest of the line is for words. */
const places = 20;

/** How far a call is, in words on one line. */
export function formatProgress({ progress, total, message }: Progress): string {
  const far = total === undefined || total <= 0 ? String(progress) : `${Math.round((100 * progress) / total)}%`;
  return message === undefined ? far : `${far} ${message}`;
}

/** The same with a bar before it, where it is known how much there is to do. */
export function progressBar(given: Progress, { isPlain }: { isPlain: boolean }): string {
  const { progress, total } = given;
  const part = total === undefined || total <= 0 ? Number.NaN : progress / total;
  if (!Number.isFinite(part)) return formatProgress(given);
  const full = Math.round(Math.min(1, Math.max(0, part)) * places);
  const [done, left] = isPlain ? ['#', '-'] : ['█', '░'];
  return `${done.repeat(full)}${left.repeat(places - full)} ${formatProgress(given)}`;
}

/** Whether the terminal is one that has letters of one byte only. */
export function isAsciiTerminal(env: Readonly<Record<string, string | undefined>>, platform: string): boolean {
  if (platform === 'win32') return env.WT_SESSION === undefined && env.TERM_PROGRAM === undefined;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return platform !== 'darwin' && !/utf-?8/i.test(locale);
}
