import { resolve } from 'node:path';
import { type Program, scriptIn } from '../util/program.ts';
import { findCommand } from './find-command.ts';
import { UsageError } from '../command/usage-error.ts';
import { isRegularFile } from './config-file/regular-file.ts';
import type { Location } from '../util/environment.ts';

const pathOptions = ['--root', '--db'];

/** Clients start servers in folders of their own, so a path must not depend on ours. */
export function absoluteArgument(argument: string, before: string | undefined, { cwd, home }: Location): string {
  const [, option = '', value = ''] = /^(--[\w-]+=)?(.*)$/s.exec(argument) ?? [];
  const isPath = pathOptions.includes(option === '' ? (before ?? '') : option.slice(0, -1)) && !/^\w+:/.test(value);
  if (/^~(?:[\\/]|$)/.test(value)) return option + resolve(home, value.slice(2));
  return isPath || /^\.{1,2}(?:[\\/]|$)/.test(value) ? option + resolve(cwd, value) : argument;
}

/** A command with the full paths of its program, its script and whatever else is a file here. */
export function absoluteCommand([command = '', ...args]: readonly string[], place: Location): Program {
  const script = scriptIn({ command, args });
  if (script !== undefined && !isRegularFile(resolve(place.cwd, script)))
    throw new UsageError(`there is no file ${script}`);
  const full = args.map((argument, index) => {
    const path = resolve(place.cwd, argument);
    // A bare word may be a file here by chance; with an ending it is meant.
    const isMeant = !argument.startsWith('-') && /[/\\]|\.\w+$/.test(argument) && isRegularFile(path);
    return isMeant ? path : absoluteArgument(argument, args[index - 1], place);
  });
  try {
    return wrapBatchFile({ command: findCommand(command, place), args: full }, place);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Windows runs batch files through its shell only. */
export function wrapBatchFile({ command, args }: Program, { platform, env }: Location): Program {
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(command)) return { command, args };
  return { command: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', command, ...args] };
}
