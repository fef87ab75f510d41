const neededOnWindows = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

const needed = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
  'XDG_RUNTIME_DIR',
];

/** What of our environment a server gets: enough to run, nothing that may be secret. */
export function environment(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of process.platform === 'win32' ? neededOnWindows : needed) {
    const value = process.env[name];
    // An exported shell function could run code.
    if (value !== undefined && !value.startsWith('()')) found[name] = value;
  }
  return found;
}
