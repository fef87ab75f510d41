import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resolveReferences } from './references.ts';

/** A folder with a program `secret-tool`. */
function secretTool(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'ccmcp-references-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'secret-tool'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}

function resolveOn(platform: NodeJS.Platform, env: Record<string, string>): Promise<string> {
  return resolveReferences('Bearer ${keychain:my-token}', { platform, env, home: '/', folder: '/' });
}

describe('a reference to the keychain', () => {
  const needs =
    '${keychain:my-token} needs the keychain of macOS, or secret-tool (libsecret) on Linux: use ${file:PATH} or a variable';

  it.each([
    ['Linux without secret-tool', 'linux', {}],
    ['Windows, which has none for single items', 'win32', {}],
    ['FreeBSD without secret-tool', 'freebsd', {}],
  ] as const)('says what it needs on %s', async (_, platform, env) => {
    await expect(resolveOn(platform, { PATH: '', ...env })).rejects.toThrow(needs);
  });

  it.runIf(process.platform !== 'darwin')('says what it needs on macOS without its program', async () => {
    await expect(resolveOn('darwin', { PATH: '' })).rejects.toThrow(needs);
  });

  it.runIf(process.platform !== 'win32')('says that the keychain is disabled', async () => {
    const PATH = secretTool('echo secret');
    await expect(resolveOn('linux', { PATH, CCMCP_KEYCHAIN: 'none' })).rejects.toThrow(
      '${keychain:my-token} can not be read: CCMCP_KEYCHAIN=none disables the keychain',
    );
  });

  it.runIf(process.platform !== 'win32')('is replaced, also where CCMCP_LOGINS_KEY is set', async () => {
    const PATH = secretTool('[ "$*" = "lookup service ccmcp account my-token" ] && echo secret');
    expect(await resolveOn('linux', { PATH })).toBe('Bearer secret');
    expect(await resolveOn('linux', { PATH, CCMCP_LOGINS_KEY: 'x'.repeat(32) })).toBe('Bearer secret');
  });

  it.runIf(process.platform !== 'win32')('says that there is no such item, or what the keychain says', async () => {
    await expect(resolveOn('linux', { PATH: secretTool('exit 1') })).rejects.toThrow(
      'the keyring of this desktop (libsecret) has no item of the service "ccmcp" and the account "my-token"',
    );
    const locked = secretTool('echo "Cannot autolaunch D-Bus without X11" >&2; exit 1');
    await expect(resolveOn('linux', { PATH: locked })).rejects.toThrow(
      'the keyring of this desktop (libsecret) does not give "my-token": Cannot autolaunch D-Bus without X11',
    );
  });
});
