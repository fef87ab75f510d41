import { spawn } from 'node:child_process';

/** Opens a URL in a browser. Never through a shell: the URL is untrusted. */
export function openBrowser(url: string): void {
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/** Full paths where they are known: a program of the same name may be in the working directory or on the PATH. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin/open'],
  win32: [`${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'],
};
