import type { HttpService } from '@ccmcp/core/http';
import type { ServeCommand } from './serve-options.ts';
import { adminNotice, readApiKeys, listen } from './listen.ts';
import { selfCommand } from '../util/self-command.ts';
import { print } from '../terminal/print.ts';
import { type HttpDefaults, httpDefaults, createReadyServer } from './servers.ts';

/** Serves over HTTP until a signal stops it, and prints how to reach it. */
export async function serveOverHttp(command: ServeCommand): Promise<void> {
  if (command.workers !== undefined && command.servers.includes('ccmcp')) {
    throw new Error('ccmcp makes tools while it runs, which each worker would have for itself: leave --workers out');
  }
  const habits = httpDefaults(command);
  const key = resolveApiKey(command, habits);
  let service: HttpService | undefined;
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    service?.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  const server = await createReadyServer(command, stop);
  service = await listen(server, command, { port: habits.port, key });
  // The first of several processes speaks and hears for all.
  if (service.worker !== undefined) return;
  process.on('SIGTERM', stop).on('SIGINT', stop);
  print(announcement(command.servers, service.url, key) + adminNotice(service));
}

interface Key {
  header: string;
  variable: string;
  keys: string[];
}

function resolveApiKey(
  { servers, apiKeyVariable, apiKeyHeader, oauth }: ServeCommand,
  habits: HttpDefaults,
): Key | undefined {
  const variable = apiKeyVariable ?? habits.keyVariable;
  if (variable === undefined) return undefined;
  const keys = readApiKeys(variable);
  // With OAuth, keys are optional unless they are asked for.
  if (keys.length === 0 && oauth !== undefined && apiKeyVariable === undefined) return undefined;
  if (keys.length === 0) {
    throw new Error(`${servers.join(', ')} needs a key over HTTP: set ${variable} to the key that callers must send`);
  }
  return { header: apiKeyHeader ?? habits.keyHeader, variable, keys };
}

function announcement(servers: ServeCommand['servers'], url: string, key: Key | undefined): string {
  const [only = 'ccmcp', ...others] = servers;
  // Composed servers have the name of the whole, as in serverInfo: short, and legal in every client.
  const name = others.length === 0 ? only : 'ccmcp';
  const headers = key && { headers: { [key.header]: `\${${key.variable}}` } };
  const configuration = { mcpServers: { [name]: { type: 'http', url, ...headers } } };
  const header = key === undefined ? '' : ` --header '${key.header}: \${env:${key.variable}}'`;
  const keyOption = key === undefined ? '' : ` -H "${key.header}: $${key.variable}"`;
  return `${servers.join(', ')} ${others.length === 0 ? 'is' : 'are'} served at ${url}

Paste this into your client's configuration:
${JSON.stringify(configuration, null, 2)}
or let it be put there: ${selfCommand()} install CLIENT ${url} --name ${name}${header}

Try it:
curl -s ${url} -H 'Content-Type: application/json'${keyOption} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
`;
}
