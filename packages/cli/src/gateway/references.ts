import { resolve } from 'node:path';
import { openKeychain, systemKeychainOf } from '../client/sign-in/keychain.ts';
import { readRegularFile } from '../config/file/regular-file.ts';
import type { Location } from '../system/environment.ts';

/** The sources of values. Relative files are resolved against `folder`. */
export interface ReferenceSources extends Pick<Location, 'env' | 'home' | 'platform'> {
  folder: string;
}

// Bounded, because it is searched at every mark.
const reference = /\$\{([^}]{0,300})\}/g;
const variable = /^(?:env:)?([A-Za-z_]\w{0,200})(?::-(.*))?$/s;

/**
 * Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${file:PATH}` and `${keychain:NAME}` in a text. Throws a sentence
 * that names the reference, never its value.
 */
export async function resolveReferences(text: string, sources: ReferenceSources): Promise<string> {
  const found = Array.from(text.matchAll(reference), ([, inside = '']) => inside);
  const values = new Map<string, string>();
  for (const inside of found) if (!values.has(inside)) values.set(inside, await valueOf(inside, sources));
  return text.replaceAll(reference, (_, inside: string) => values.get(inside) as string);
}

async function valueOf(inside: string, { env, home, platform, folder }: ReferenceSources): Promise<string> {
  if (inside.startsWith('file:')) {
    const name = inside.slice('file:'.length);
    const bytes = readRegularFile(resolve(folder, name.replace(/^~(?=[\\/])/, home)));
    if (bytes === undefined) throw new Error(`there is no file ${name}, which \${${inside}} names`);
    return bytes.toString('utf8').replace(/\r?\n$/, '');
  }
  if (inside.startsWith('keychain:')) return fromKeychain(inside.slice('keychain:'.length), { env, platform });
  const [, name, otherwise] = variable.exec(inside) ?? [];
  if (name === undefined) {
    throw new Error(`\${${inside}} is none of \${NAME}, \${NAME:-default}, \${file:PATH} and \${keychain:NAME}`);
  }
  const value = env[name] ?? otherwise;
  if (value === undefined) throw new Error(`the variable ${name} is not set: set it, or write \${${name}:-default}`);
  return value;
}

async function fromKeychain(name: string, system: Pick<Location, 'env' | 'platform'>): Promise<string> {
  if (system.env.CCMCP_KEYCHAIN === 'none') {
    throw new Error(`\${keychain:${name}} can not be read: CCMCP_KEYCHAIN=none disables the keychain`);
  }
  const kind = systemKeychainOf(system);
  const keychain = kind === undefined || kind === 'dpapi' ? undefined : openKeychain(kind, system);
  if (keychain === undefined) {
    throw new Error(
      `\${keychain:${name}} needs the keychain of macOS, or secret-tool (libsecret) on Linux: use \${file:PATH} or a variable`,
    );
  }
  const value = await keychain.find(name, '').catch((error: Error) => {
    throw new Error(`${keychain.title} does not give "${name}": ${error.message}`, { cause: error });
  });
  if (value === undefined)
    throw new Error(`${keychain.title} has no item of the service "ccmcp" and the account "${name}"`);
  return value;
}
