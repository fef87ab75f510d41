import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { McpClient } from './mcp-client.ts';
import { type ChildWire, childWire, type Framing } from './wires.ts';

/** The command on a clone. */
export const launcher = fileURLToPath(new URL('../../ccmcp', import.meta.url));

export const handshakeVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const statelessVersion = '2026-07-28';

/** An empty folder that is gone after the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface StartOptions {
  version?: string;
  framing?: Framing;
  args?: string[];
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts `./ccmcp` with a client at its other end; the process is gone after the test. */
export function start(options: StartOptions = {}): { client: McpClient; wire: ChildWire } {
  const { version = '2025-11-25', args = [], ...rest } = options;
  const wire = childWire(launcher, args, rest);
  onTestFinished(() => wire.close());
  return { client: new McpClient(wire, { version }), wire };
}

/** Starts `./ccmcp` and shakes hands with it. */
export async function connect(options: StartOptions = {}): Promise<{ client: McpClient; wire: ChildWire }> {
  const started = start(options);
  await started.client.initialize();
  return started;
}

/** The text of a tool's result; a failed call's begins with `failed: `. */
export async function callTool(client: McpClient, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content, isError } = await client.request('tools/call', { name, arguments: args });
  return `${isError === true ? 'failed: ' : ''}${content[0].text}`;
}

/** The names of the tools, as listed. */
export async function toolNames(client: McpClient): Promise<string[]> {
  const { tools } = await client.request('tools/list');
  return tools.map((tool: { name: string }) => tool.name);
}

/** Runs `./ccmcp` to its end on an input that is there in full, as a shell pipe does. */
export async function run(
  args: string[],
  { input = '', env, cwd }: { input?: string | Uint8Array; env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(launcher, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}
