import { spawn } from 'node:child_process';
import { type HttpAuth, loopbackAuthorize, oauth } from '@ccmcp/core/client';
import { isAttended } from './ask.ts';
import type { Output } from './output.ts';

/** Lets the person at the terminal sign in with a browser, if a server wants that. Without one there is no way. */
export function signIn(output: Output): HttpAuth | undefined {
  if (!isAttended()) return undefined;
  const open = (url: string): void => {
    output.note(`The server wants you to sign in. If no browser opens, visit\n${url}`);
    openBrowser(url);
  };
  return oauth({ ...loopbackAuthorize({ open }), clientName: 'ccmcp' });
}

/** Never through a shell: the address comes from a stranger. */
function openBrowser(url: string): void {
  const [program = '', ...args] = openers[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

/** In full where the place is known: a program of the same name may lie in the working directory, or on the PATH. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/usr/bin/open'],
  win32: [`${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'],
};
