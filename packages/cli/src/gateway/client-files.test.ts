import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clients, fileOf } from '../config/clients.ts';
import { json } from '../config/file/json.ts';
import { installIn, type TestEnvironment, testEnvironment, uninstallIn } from '../install/fixtures/environment.ts';
import { samples } from '../install/fixtures/samples.ts';
import { readSources } from './sources.ts';

/** Files as editors and people leave them. */
function formsOf(sample: string, isJson: boolean): Record<string, string> {
  const lines = sample.trimEnd().split('\n');
  return {
    'as it is': sample,
    'with CRLF': sample.replaceAll('\n', '\r\n'),
    'with CRLF on every other line': lines.map((line, each) => (each % 2 === 0 ? line : `${line}\r`)).join('\n'),
    'with a byte order mark': `\uFEFF${sample}`,
    'with a byte order mark and CRLF': `\uFEFF${sample.replaceAll('\n', '\r\n')}`,
    'without a line end at its end': sample.trimEnd(),
    'with blank lines at its end': `${sample.trimEnd()}\n\n\n`,
    'with blanks at the ends of lines': `${lines.map((line) => `${line} `).join('\n')}\n`,
    ...(isJson && {
      'with tabs': sample.replaceAll(/^ +/gm, (blanks) => '\t'.repeat(Math.ceil(blanks.length / 2))),
      'with four blanks': sample.replaceAll(/^ +/gm, (blanks) => blanks.repeat(2)),
    }),
  };
}

/** The servers that `--from` takes over, also those whose program is not on this machine. */
async function takenOver(id: string, environment: TestEnvironment): Promise<string[]> {
  const { upstreams, mistakes } = await readSources({ file: undefined, clients: [id] }, environment);
  return [...upstreams.keys(), ...mistakes.flatMap(({ server }) => server ?? [])].sort();
}

const cases = Object.entries(clients).flatMap(([id, client]) => {
  const forms = formsOf(samples[id] as string, client.syntax === json);
  return Object.entries(forms).map(([form, text]) => ({ id, client, form, text }));
});

describe('the file of a client', () => {
  it('is supported in the formats of at least ten clients', () => {
    expect(Object.keys(clients).length).toBeGreaterThanOrEqual(10);
    expect(new Set(Object.values(clients).map(({ syntax }) => syntax)).size).toBe(3);
  });

  it.each(cases)('$id $form: --from imports its servers, and uninstalling restores it', async (each) => {
    const { id, client, text } = each;
    const environment = testEnvironment();
    const path = fileOf(client, 'user', environment) as string;
    const servers = join(environment.cwd, 'servers.json');
    for (const folder of [dirname(path), environment.cwd]) mkdirSync(folder, { recursive: true });
    writeFileSync(path, text);
    writeFileSync(servers, '{ "mcpServers": {} }');
    const before = await takenOver(id, environment);
    expect(before.length).toBeGreaterThan(0);

    expect(await installIn([id, 'gateway', './servers.json'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain(servers);
    expect(await takenOver(id, environment)).toEqual(before);

    expect(await uninstallIn([id, 'gateway'], environment)).toBe(0);
    expect(readFileSync(path).equals(Buffer.from(text))).toBe(true);
    const backups = (): string[] => readdirSync(dirname(path)).filter((name) => name.includes('.bak-'));
    expect(backups()).toEqual([]);

    // Without its backup, the entry alone is taken out.
    expect(await installIn([id, 'gateway', './servers.json'], environment)).toBe(0);
    for (const name of backups()) rmSync(join(dirname(path), name));
    expect(await uninstallIn([id, 'gateway'], environment)).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

it('of two clients with the same server: --from imports it once, and uninstalling restores both', async () => {
  const environment = testEnvironment();
  const servers = join(environment.cwd, 'servers.json');
  const same = { command: process.execPath, args: ['server.js'] };
  const files = ['cursor', 'claude-code'].map((id) => {
    const path = fileOf(clients[id] as (typeof clients)[string], 'user', environment) as string;
    mkdirSync(dirname(path), { recursive: true });
    const text = `{\n\t"mcpServers": { "files": ${JSON.stringify(same)}, "${id}-own": ${JSON.stringify(same)} }\n}`;
    writeFileSync(path, text);
    return { id, path, text };
  });
  mkdirSync(environment.cwd, { recursive: true });
  writeFileSync(servers, '{ "mcpServers": {} }');
  const ids = files.map(({ id }) => id);
  const imported = async (): Promise<string[]> =>
    [...(await readSources({ file: undefined, clients: ids }, environment)).upstreams.keys()].sort();
  const once = ['claude-code-own', 'cursor-own', 'files'];
  expect(await imported()).toEqual(once);
  for (const { id } of files) expect(await installIn([id, 'gateway', './servers.json'], environment)).toBe(0);
  expect(await imported()).toEqual(once);
  for (const { id } of files) expect(await uninstallIn([id, 'gateway'], environment)).toBe(0);
  for (const { path, text } of files) expect(readFileSync(path, 'utf8')).toBe(text);
});
