import { candidates, type Candidates, type CommandContext } from '../command/command.ts';
import { type ServerName, serverNames } from '../servers/servers.ts';
import { type ClientCommand, sessionCommands } from './context.ts';
import { taskVerbs } from './options.ts';

/** Completes a word of a client command: the target, then what that server offers. */
export async function completeClientWord(
  { name, takesTaskId }: Pick<ClientCommand, 'name' | 'takesTaskId'>,
  words: readonly string[],
  { groups }: CommandContext,
): Promise<Candidates> {
  const last = words.at(-1) ?? '';
  const [target, ...before] = words.slice(0, -1);
  if (target === undefined) return candidates([...serverNames, ...(await configuredNames())], 'files');
  if (takesTaskId) return completeTask(target, before);
  const server = serverNames.find((each) => each === target);
  if (server === undefined) return candidates([]);
  const commands = sessionCommands(groups.flatMap((group) => group.commands)).map((command) => command.name);
  const found = await offeredBy(server, [name, ...before, last], commands);
  return { paths: 'none', found: found.map((word) => ({ word })) };
}

/** A verb, then the stored tasks of an address. The server is not asked. */
async function completeTask(target: string, words: readonly string[]): Promise<Candidates> {
  if (words.length === 0) return candidates(taskVerbs);
  if (words.length > 1 || !URL.canParse(target)) return candidates([]);
  const { openTaskFile } = await import('./tasks/task-file.ts');
  try {
    const tasks = await (await openTaskFile(new URL(target), {})).list();
    return candidates(tasks.map(({ taskId }) => taskId).filter((id) => /^[\w.~-]+$/.test(id)));
  } catch {
    return candidates([]);
  }
}

/** The servers that are configured in clients, by name; unreadable files are skipped. */
async function configuredNames(): Promise<string[]> {
  const { configuredTargetNames } = await import('./connection/configured-target.ts');
  try {
    return configuredTargetNames().filter((name) => !/[\s"'\\]/.test(name));
  } catch {
    return [];
  }
}

/** What a ready-made server offers. It runs in this process: completion never starts another one. */
async function offeredBy(name: ServerName, words: readonly string[], commands: readonly string[]): Promise<string[]> {
  // The resources of notes are the user's notes: completion must not open that database.
  if (name === 'notes' && words[0] !== 'call' && words[0] !== 'list') return [];
  const [{ createReadyServer }, { connect, memoryTransport }, { completer }] = await Promise.all([
    import('../servers/servers.ts'),
    import('@ccmcp/core/client'),
    import('./shell/completer.ts'),
  ]);
  const settings = {
    servers: [name],
    root: '.',
    logLevel: 'emergency',
    allowShutdown: false,
    readOnly: false,
    hard: false,
  } as const;
  const client = await connect(memoryTransport(await createReadyServer(settings, () => {})), { onWarning: () => {} });
  const [found] = await completer(client, commands)(words.join(' '));
  await client.close();
  return found;
}
