import type { Platform } from '../../system/private-folder.ts';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { spawn } from 'node:child_process';

/** The exit code and output of a program. */
interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const timeoutMs = 60_000;
const maxOutput = 64 * 1024;

/** Runs a program with a text on its stdin, where no other user sees it. */
function runProgram(program: string, args: readonly string[], input = ''): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe', timeout: timeoutMs, windowsHide: true });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(0, maxOutput);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(0, maxOutput);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** The keychain of the system. It stores short secrets only: a line of `security` has 4 kB, others have less. */
export interface Keychain {
  /** Its name for users. */
  readonly title: string;
  /** Stores a secret (hexadecimal digits) under a name. Returns the text that `find` needs. */
  store(name: string, secret: string): Promise<string>;
  /** The secret; undefined if it is missing. */
  find(name: string, reference: string): Promise<string | undefined>;
  delete(name: string): Promise<void>;
}

/** The kinds of keychains. */
export type KeychainKind = 'macos' | 'libsecret' | 'dpapi';

const service = 'ccmcp';

/** The keychain of a platform, if it has a usable one. `CCMCP_KEYCHAIN=none` disables it. */
export function keychainOf(
  system: Platform,
  programs: Readonly<Record<string, string>> = {},
): KeychainKind | undefined {
  if (system.env.CCMCP_KEYCHAIN === 'none') return undefined;
  const kind = kinds[system.platform] ?? 'libsecret';
  return programOf(kind, system, programs) === undefined ? undefined : kind;
}

/** Opens a keychain; undefined if its program is missing. */
export function openKeychain(
  kind: KeychainKind,
  system: Platform,
  programs: Readonly<Record<string, string>> = {},
): Keychain | undefined {
  const program = programOf(kind, system, programs);
  return program === undefined ? undefined : makers[kind](program);
}

const kinds: Readonly<Partial<Record<NodeJS.Platform, KeychainKind>>> = { darwin: 'macos', win32: 'dpapi' };

/** The path of a keychain program. It is fixed where possible: another program on the PATH may have the same name. */
function programOf(
  kind: KeychainKind,
  { env }: Platform,
  programs: Readonly<Record<string, string>>,
): string | undefined {
  const known = {
    macos: '/usr/bin/security',
    libsecret: undefined,
    dpapi: `${env.SystemRoot ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
  }[kind];
  if (programs[kind] !== undefined) return programs[kind];
  if (known !== undefined) return isProgram(known) ? known : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, 'secret-tool')).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const makers: Readonly<Record<KeychainKind, (program: string) => Keychain>> = {
  macos: (security) => ({
    title: 'the keychain of macOS',
    async store(name, secret) {
      // Read from its stdin, the command is in no list of processes.
      const command = `add-generic-password -U -s ${service} -a ${name} -w ${secret}\n`;
      requireSuccess(await runProgram(security, ['-i'], command));
      return '';
    },
    async find(name) {
      const ran = await runProgram(security, ['find-generic-password', '-s', service, '-a', name, '-w']);
      // 44 means that there is no such item.
      return ran.code === 44 ? undefined : requireSuccess(ran);
    },
    async delete(name) {
      await runProgram(security, ['delete-generic-password', '-s', service, '-a', name]);
    },
  }),
  libsecret: (secretTool) => ({
    title: 'the keyring of this desktop (libsecret)',
    async store(name, secret) {
      const about = ['--label=ccmcp', 'service', service, 'account', name];
      requireSuccess(await runProgram(secretTool, ['store', ...about], secret));
      return '';
    },
    async find(name) {
      const ran = await runProgram(secretTool, ['lookup', 'service', service, 'account', name]);
      return ran.code === 1 && ran.stderr.trim() === '' ? undefined : requireSuccess(ran);
    },
    async delete(name) {
      await runProgram(secretTool, ['clear', 'service', service, 'account', name]);
    },
  }),
  dpapi: (powershell) => ({
    title: 'the data protection of Windows',
    store: (_, secret) => protect(powershell, 'Protect', secret),
    find: (_, reference) => protect(powershell, 'Unprotect', reference),
    delete: () => Promise.resolve(),
  }),
};

/** Encrypts or decrypts bytes with DPAPI, for this user. */
async function protect(powershell: string, how: 'Protect' | 'Unprotect', hex: string): Promise<string> {
  const script = [
    "$ErrorActionPreference = 'Stop'",
    'Add-Type -AssemblyName System.Security',
    '$hex = [Console]::In.ReadToEnd().Trim()',
    '$bytes = [byte[]]@(for ($i = 0; $i -lt $hex.Length; $i += 2) { [Convert]::ToByte($hex.Substring($i, 2), 16) })',
    `$made = [Security.Cryptography.ProtectedData]::${how}($bytes, $null, 'CurrentUser')`,
    "[Console]::Out.Write([BitConverter]::ToString($made).Replace('-', '').ToLower())",
  ].join('; ');
  return requireSuccess(await runProgram(powershell, ['-NoProfile', '-NonInteractive', '-Command', script], hex));
}

function requireSuccess({ code, stdout, stderr }: ProgramResult): string {
  if (code === 0) return stdout.trim();
  const [said = ''] = stderr.trim().split('\n');
  throw new Error(said === '' ? `it ended with ${code ?? 'no answer'}` : said.slice(0, 300));
}
