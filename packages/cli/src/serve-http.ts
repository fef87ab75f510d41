import { apiKey, type HttpService, serveHttp } from '@ccmcp/core/http';
import type { ServeCommand } from './command-line.ts';
import { type HttpHabits, httpHabits, makeServer } from './servers.ts';

/** Serves over HTTP until told to stop, and says how to reach it. */
export async function serveOverHttp(command: ServeCommand): Promise<void> {
  const habits = httpHabits(command);
  const name = command.servers.join('+');
  const key = keyFor(command, habits);
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
  const server = await makeServer(command, stop);
  service = await serveHttp(server, {
    port: command.http?.port ?? habits.port,
    ...(command.http?.host !== undefined && { host: command.http.host }),
    ...(key !== undefined && { auth: apiKey({ header: key.header, keys: key.keys }) }),
    allowHosts: command.allowHosts,
    allowOrigins: command.allowOrigins,
    maxBody: command.maxMessage,
    publicWithoutAuth: command.publicWithoutAuth,
    ...(command.sse && { sse: true }),
  });
  process.on('SIGTERM', stop).on('SIGINT', stop);
  process.stdout.write(announcement(name, service.url, key));
}

interface Key {
  header: string;
  variable: string;
  keys: string[];
}

function keyFor({ servers, apiKeyVariable, apiKeyHeader }: ServeCommand, habits: HttpHabits): Key | undefined {
  const variable = apiKeyVariable ?? habits.keyVariable;
  if (variable === undefined) return undefined;
  const keys = (process.env[variable] ?? '').split(',').filter((key) => key !== '');
  if (keys.length === 0) {
    throw new Error(`${servers.join(', ')} needs a key over HTTP: set ${variable} to the key that callers must send`);
  }
  return { header: apiKeyHeader ?? habits.keyHeader, variable, keys };
}

function announcement(name: string, url: string, key: Key | undefined): string {
  const headers = key && { headers: { [key.header]: `\${${key.variable}}` } };
  const configuration = { mcpServers: { [name]: { type: 'http', url, ...headers } } };
  const keyOption = key === undefined ? '' : ` -H "${key.header}: $${key.variable}"`;
  return `${name} is served at ${url}

Paste this into your client's configuration:
${JSON.stringify(configuration, null, 2)}

Try it:
curl -s ${url} -H 'Content-Type: application/json'${keyOption} -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
`;
}
