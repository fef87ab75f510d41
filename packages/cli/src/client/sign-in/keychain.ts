import type { Platform } from '../../system/private-folder.ts';
import { createHash } from 'node:crypto';
import { decrypt, encrypt } from './encryption.ts';
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
export type KeychainKind = 'macos' | 'libsecret' | 'dpapi' | 'variable';

/** The variable with a secret that protects logins where there is no keychain, such as on a server. */
const keyVariable = 'CCMCP_LOGINS_KEY';
const minKeyLength = 32;

type SystemKeychain = Exclude<KeychainKind, 'variable'>;

const service = 'ccmcp';

/** What protects logins: the variable `CCMCP_LOGINS_KEY`, or the keychain of the platform, if it has a usable one. */
export function keychainOf(
  system: Platform,
  programs: Readonly<Record<string, string>> = {},
): KeychainKind | undefined {
  return system.env[keyVariable] ? 'variable' : systemKeychainOf(system, programs);
}

/** The keychain of a platform, if it has a usable one. `CCMCP_KEYCHAIN=none` disables it. */
export function systemKeychainOf(
  system: Platform,
  programs: Readonly<Record<string, string>> = {},
): SystemKeychain | undefined {
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
  if (kind === 'variable') {
    const secret = system.env[keyVariable];
    return secret ? variableKeychain(secret) : undefined;
  }
  const program = programOf(kind, system, programs);
  return program === undefined ? undefined : makers[kind](program);
}

/** Protects secrets with the value of a variable. */
function variableKeychain(secret: string): Keychain {
  const key = (): Buffer => {
    if (secret.length < minKeyLength)
      throw new Error(`${keyVariable} must have at least ${minKeyLength} characters: openssl rand -hex 32`);
    return createHash('sha256').update(secret).digest();
  };
  return {
    title: `the variable ${keyVariable}`,
    store: async (name, text) => encrypt(text, key(), name),
    async find(name, reference) {
      try {
        return decrypt(reference, key(), name);
      } catch (cause) {
        throw new Error('it has another value than when the login was stored', { cause });
      }
    },
    delete: () => Promise.resolve(),
  };
}

const kinds: Readonly<Partial<Record<NodeJS.Platform, SystemKeychain>>> = { darwin: 'macos', win32: 'dpapi' };

/** The path of a keychain program. It is fixed where possible: another program on the PATH may have the same name. */
function programOf(
  kind: SystemKeychain,
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

const makers: Readonly<Record<SystemKeychain, (program: string) => Keychain>> = {
  macos: (security) => ({
    title: 'the keychain of macOS',
    async store(name, secret) {
      // Passed on stdin, the command appears in no list of processes.
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
