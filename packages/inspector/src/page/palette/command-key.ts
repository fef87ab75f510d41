const isApple = /Mac|iP(?:hone|ad|od)/.test(navigator.platform);

/** A key together with the one that commands are given with on this machine. */
export function withCommand(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}
