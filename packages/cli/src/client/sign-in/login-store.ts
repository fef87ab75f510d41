import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StoredGrant, TokenKey } from '@ccmcp/core/client';
import {
  thisPlatform,
  type Platform,
  stateFolder,
  type PrivateFolder,
  privateFolder,
  shortHash,
} from '../../system/private-folder.ts';
import { withFileLock } from '../../system/file-lock.ts';
import { decrypt, encrypt } from './encryption.ts';
import { type KeychainKind, keychainOf, openKeychain } from './keychain.ts';
import { parseRecord } from '../../system/record.ts';

/** A key for one login, in hexadecimal digits. */
function createKey(): string {
  return randomBytes(32).toString('hex');
}

/** The folder of logins. `CCMCP_LOGINS` names another one. */
function loginFolder({ env, platform }: Platform): string {
  return env.CCMCP_LOGINS || join(stateFolder(env, platform), 'ccmcp', 'logins');
}

/** A login as its file stores it. */
interface LoginRecord extends TokenKey {
  readonly format: 1;
  /** The URL that the user signed in to. */
  readonly url: string;
  readonly clientId?: string;
  readonly callbackPort?: number;
  /** The keychain with the encryption key; absent: the grant is stored unencrypted. */
  readonly keychain?: KeychainKind;
  /** The reference that the keychain needs to find the key. */
  readonly kept?: string;
  /** The grant, encrypted. */
  readonly sealed?: string;
  /** The unencrypted grant. */
  readonly grant?: StoredGrant;
}

/** How the user signed in, for the next sign-in. */
export interface LoginSettings {
  readonly url: string;
  /** The client id that the user gave. */
  readonly clientId?: string;
  readonly callbackPort?: number;
}

/** A stored login, without secrets. */
export interface StoredLogin extends TokenKey, LoginSettings {
  /** Where it is stored, for users. */
  readonly place: string;
}

/** The logins of this user. */
export interface LoginStore {
  /** The readable logins, and the problems of the others. */
  list(): Promise<{ logins: StoredLogin[]; problems: string[] }>;
  /** The login for the server at a URL. */
  find(url: URL): Promise<{ login: StoredLogin | undefined; problems: string[] }>;
  get(key: TokenKey): Promise<StoredGrant | undefined>;
  /** Stores a login. Returns a warning, if any. */
  set(key: TokenKey, grant: StoredGrant, settings: LoginSettings): Promise<string | undefined>;
  delete(key: TokenKey): Promise<void>;
  exclusively<T>(key: TokenKey, act: () => Promise<T>): Promise<T>;
}

/**
 * Opens the logins of the user of this machine, or of an `owner`: a caller of a gateway, whose logins are separate from
 * all others. `programs` replaces the keychain programs, for tests.
 */
export function openLoginStore(
  system: Platform = thisPlatform,
  programs: Readonly<Record<string, string>> = {},
  owner?: string,
): LoginStore {
  const apart = owner === undefined ? [] : ['callers', shortHash(owner)];
  const folder = privateFolder(join(loginFolder(system), ...apart));
  /** Binds an encrypted login to its server and owner. */
  const additionalData = ({ issuer, resource }: TokenKey): string =>
    JSON.stringify([issuer, resource, ...(owner === undefined ? [] : [owner])]);
  /** A collision-resistant name that files and keychains accept. */
  const hashName = (key: TokenKey): string => shortHash(additionalData(key));

  /** The existing key of a login, or a new one. */
  async function keyFor(name: string, before: LoginRecord | undefined): Promise<Lock & { warning?: string }> {
    const { keychain: had, kept = '' } = before ?? {};
    if (had !== undefined) {
      const key = await openKeychain(had, system, programs)
        ?.find(name, kept)
        .catch(() => undefined);
      if (key !== undefined) return { key, keychain: had, kept };
    }
    const kind = keychainOf(system, programs);
    const keychain = kind && openKeychain(kind, system, programs);
    if (kind === undefined || keychain === undefined) return {};
    const key = createKey();
    try {
      return { key, keychain: kind, kept: await keychain.store(name, key) };
    } catch (error) {
      const why = (error as Error).message;
      return {
        warning: `${keychain.title} can't be used (${why}), so the login is stored in a file that only you can read.`,
      };
    }
  }

  async function open(name: string, record: LoginRecord): Promise<StoredGrant> {
    if (record.keychain === undefined) return record.grant ?? {};
    const keychain = openKeychain(record.keychain, system, programs);
    const title = keychain?.title ?? 'the keychain';
    const key = await keychain?.find(name, record.kept ?? '').catch((error: Error) => {
      throw new Error(`The login for ${record.url} can't be opened: ${title} says "${error.message}"`, {
        cause: error,
      });
    });
    if (key === undefined) throw signInAgain(record, `its key is no longer in ${title}`);
    try {
      return JSON.parse(decrypt(record.sealed ?? '', Buffer.from(key, 'hex'), additionalData(record))) as StoredGrant;
    } catch {
      throw signInAgain(record, 'it was changed, or its key was');
    }
  }

  async function list(): Promise<{ logins: StoredLogin[]; problems: string[] }> {
    const logins: StoredLogin[] = [];
    const problems: string[] = [];
    for (const file of (await folder.names()).filter((name) => name.endsWith('.json')).sort()) {
      try {
        const record = await readRecord(folder, file, hashName);
        if (record !== undefined) logins.push(describeLogin(record, folder, system));
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
    return { logins, problems };
  }

  return {
    list,
    async find(url) {
      const { logins, problems } = await list();
      const login =
        logins.find((each) => each.url === url.href) ?? logins.find(({ resource }) => covers(resource, url));
      return { login, problems };
    },
    async get(key) {
      const name = hashName(key);
      const record = await readRecord(folder, `${name}.json`, hashName);
      return record && open(name, record);
    },
    async set(key, grant, { url, clientId, callbackPort }) {
      const name = hashName(key);
      const before = await readRecord(folder, `${name}.json`, hashName).catch(() => undefined);
      const { key: secret, keychain, kept, warning } = await keyFor(name, before);
      const record: LoginRecord = {
        format: 1,
        issuer: key.issuer,
        resource: key.resource,
        url,
        ...(clientId !== undefined && { clientId }),
        ...(callbackPort !== undefined && { callbackPort }),
        ...(secret === undefined || keychain === undefined
          ? { grant }
          : {
              keychain,
              ...(kept ? { kept } : {}),
              sealed: encrypt(JSON.stringify(grant), Buffer.from(secret, 'hex'), additionalData(key)),
            }),
      };
      await folder.write(`${name}.json`, `${JSON.stringify(record)}\n`);
      return warning;
    },
    async delete(key) {
      const name = hashName(key);
      const record = await readRecord(folder, `${name}.json`, hashName).catch(() => undefined);
      await folder.delete(`${name}.json`);
      const keychain = record?.keychain && openKeychain(record.keychain, system, programs);
      await keychain?.delete(name).catch(() => {});
    },
    async exclusively(key, act) {
      await folder.ready();
      return withFileLock(join(folder.path, `${hashName(key)}.lock`), act);
    },
  };
}

interface Lock {
  key?: string;
  keychain?: KeychainKind;
  kept?: string;
}

function describeLogin(record: LoginRecord, { path }: PrivateFolder, system: Platform): StoredLogin {
  const { issuer, resource, url, clientId, callbackPort, keychain } = record;
  const title = keychain && (openKeychain(keychain, system)?.title ?? 'the keychain');
  const settings = {
    url,
    ...(clientId !== undefined && { clientId }),
    ...(callbackPort !== undefined && { callbackPort }),
  };
  return {
    issuer,
    resource,
    ...settings,
    place: title ? `${path}, with its key in ${title}` : `${path}, which only you can read`,
  };
}

async function readRecord(
  folder: PrivateFolder,
  file: string,
  hashName: (key: TokenKey) => string,
): Promise<LoginRecord | undefined> {
  const text = await folder.read(file);
  if (text === undefined) return undefined;
  const path = join(folder.path, file);
  const value = parseRecord(text);
  if (typeof value?.format === 'number' && value.format > 1) {
    throw new Error(`${path} was written by a newer version of this program: update it, or delete the file`);
  }
  if (!isLoginRecord(value) || file !== `${hashName(value)}.json`)
    throw new Error(`${path} is damaged, or no login: delete it and sign in again`);
  return value;
}

function isLoginRecord(value: Record<string, unknown> | undefined): value is Record<string, unknown> & LoginRecord {
  const texts = [value?.issuer, value?.resource, value?.url];
  const keychains: unknown[] = [undefined, 'macos', 'libsecret', 'dpapi', 'variable'];
  const guarded = value?.keychain === undefined ? typeof value?.grant === 'object' : typeof value.sealed === 'string';
  return (
    value?.format === 1 &&
    texts.every((text) => typeof text === 'string') &&
    keychains.includes(value.keychain) &&
    guarded
  );
}

/** Whether a resource is the server at the URL or contains it. */
function covers(resource: string, url: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const path = pathname.replace(/\/$/, '');
  return origin === url.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`));
}

function signInAgain({ url }: LoginRecord, why: string): Error {
  return new Error(`The login for ${url} can't be used: ${why}. Sign in again: ccmcp login ${url}`);
}
