import { connect, memoryTransport } from '@ccmcp/core/client';
import { Failure } from '../command/failure.ts';
import { addScheme } from '../system/url-from-word.ts';
import type { Environment } from '../system/environment.ts';
import { toTable } from '../client/describe/table.ts';
import { onlyFile, openGateway } from './gateway.ts';
import { resolveSources } from './sources.ts';
import type { UpstreamStatus } from './upstreams.ts';

/** The command line of `ccmcp gateway status`. */
interface StatusArguments {
  readonly values: { json?: true; from?: string };
  readonly positionals: readonly string[];
}

/** `ccmcp gateway status`: shows the status of each upstream. Returns the exit code: 1 if one is down. */
export async function showStatus({ values, positionals }: StatusArguments, environment: Environment): Promise<number> {
  const word = onlyFile(positionals);
  const url = word === undefined ? undefined : addScheme(word, environment.cwd);
  const upstreams =
    url !== undefined && /^https?:\/\//.test(url)
      ? await readStatus(url)
      : await tryAll(word, values.from, environment);
  if (values.json) environment.print(`${JSON.stringify({ upstreams })}\n`);
  else environment.print(statusTable(upstreams));
  return upstreams.some(({ state, mistake }) => state === 'down' || mistake !== undefined) ? 1 : 0;
}

/** Requests the status of a gateway that runs with `--admin`. */
async function readStatus(url: string): Promise<UpstreamStatus[]> {
  const address = new URL('/status', url).href;
  const hint = 'Give the address of --admin: ccmcp gateway FILE --http --admin 9464';
  const response = await fetch(address).catch((cause: unknown) => {
    throw new Failure('unreachable', `There is nothing at ${address}`, { hint, cause });
  });
  const body = (await response.json().catch(() => undefined)) as { upstreams?: unknown } | undefined;
  if (!response.ok || !Array.isArray(body?.upstreams)) {
    throw new Failure('refused', `${address} is not the status of a gateway (HTTP ${response.status})`, { hint });
  }
  return body.upstreams as UpstreamStatus[];
}

/** Starts all upstreams of the sources once, and reports their status. */
async function tryAll(
  file: string | undefined,
  from: string | undefined,
  environment: Environment,
): Promise<UpstreamStatus[]> {
  const gateway = await openGateway(resolveSources(file, from, environment), environment, { logLevel: 'emergency' });
  try {
    const client = await connect(memoryTransport(gateway.server));
    await client.listTools().all();
    await client.close();
    return gateway.status();
  } finally {
    await gateway.close();
  }
}

function statusTable(upstreams: readonly UpstreamStatus[]): string {
  if (upstreams.length === 0) return 'There are no upstreams.\n';
  const rows = upstreams.map(
    ({ name, state, protocolVersion, tools, restarts, latencyMs, stale, mistake, lastError, warnings }) => [
      name,
      stale ? `${state}, stale` : state,
      protocolVersion ?? '-',
      String(tools),
      String(restarts),
      latencyMs === undefined ? '-' : `${latencyMs.toFixed(1)} ms`,
      mistake ?? lastError ?? warnings?.[0] ?? '',
    ],
  );
  const head = ['upstream', 'state', 'revision', 'tools', 'restarts', 'latency', 'last error'];
  return `${toTable([head, ...rows]).join('\n')}\n`;
}
