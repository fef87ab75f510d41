import {
  type HttpAuth,
  loopbackAuthorize,
  memoryTokenStore,
  oauth,
  type StoredGrant,
  type TokenKey,
  type TokenStore,
} from '@ccmcp/core/client';
import { sendRequest } from '@ccmcp/inspector/probe';
import { openBrowser } from '../system/open-browser.ts';
import { Failure } from '../command/failure.ts';
import { openClient } from '../client/connection/open-client.ts';
import { noTerminal } from '../terminal/terminal.ts';
import { printStderr } from '../terminal/print.ts';
import { openLoginStore, type LoginSettings } from '../client/sign-in/login-store.ts';
import { formatIdentity, identityOf, requireUrl } from './stored-logins.ts';
import type { TargetCall } from '../client/context.ts';

const timeoutMs = 10_000;
const wellKnown = '/.well-known/oauth-protected-resource';

/** Signs in to a server, verifies the token, and stores the login. */
export async function login(call: TargetCall): Promise<number> {
  const { target, options, output } = call;
  const url = requireUrl('login', target);
  const context = { ...call, url };
  if (Object.keys(options.headers).some((name) => /^authorization$/i.test(name))) {
    throw new Failure('usage', 'login gets its own token: leave --token-env and the Authorization header out');
  }
  const challenge = await challengeOf(url, options.headers);
  if (challenge === undefined) {
    output.value({ signedIn: false }, () => `${url.href} requires no login.`);
    return 0;
  }
  const { store, got } = recordingStore(options.scopes.join(' '));
  const { auth, settings } = userAuth(context, store);
  await auth.unauthorized({ status: 401, url: url.href, wwwAuthenticate: challenge === '' ? undefined : challenge });
  await verifyLogin(context, auth);
  const grant = got();
  if (grant === undefined) throw new Failure('unauthorized', 'The sign-in gave no token');
  const logins = openLoginStore();
  const { key, stored } = grant;
  const keep = (): Promise<string | undefined> =>
    logins.set(key, withClient(stored, settings), withPort(settings, stored));
  const warning = await logins.exclusively(key, keep);
  if (warning !== undefined) output.note(`Warning: ${warning}`);
  const { login: kept } = await logins.find(url);
  const who = kept && identityOf(kept, grant.stored);
  output.value({ signedIn: true, ...who }, () => `Signed in.\n${who ? formatIdentity(who) : ''}`);
  return 0;
}

/** The challenge of the server; empty if it has only metadata; undefined if it requires no token. */
async function challengeOf(url: URL, headers: Record<string, string>): Promise<string | undefined> {
  const body = { jsonrpc: '2.0', id: 'login', method: 'ping' };
  const answer = await sendRequest(url, { method: 'POST', headers, body, timeoutMs });
  if (answer.status === 401) return answer.headers['www-authenticate'] ?? '';
  const path = url.pathname.replace(/\/$/, '');
  for (const place of new Set([`${wellKnown}${path}`, wellKnown])) {
    const { status, body: text } = await sendRequest(new URL(place, url), { method: 'GET', timeoutMs });
    if (status === 200 && text.includes('"authorization_servers"')) return '';
  }
  return undefined;
}

function userAuth(
  { url, options, signal }: TargetCall & { url: URL },
  store: TokenStore,
): { auth: HttpAuth; settings: LoginSettings } {
  const { clientId, callbackPort, browser } = options;
  const open = (page: string): void => {
    printStderr(browser ? `Sign in with the browser. If none opens, visit\n${page}\n` : `Sign in at\n${page}\n`);
    if (browser) openBrowser(page);
  };
  const settings = {
    url: url.href,
    ...(clientId !== undefined && { clientId }),
    ...(callbackPort !== undefined && { callbackPort }),
  };
  const auth = oauth({
    ...loopbackAuthorize({ open, signal, ...(callbackPort !== undefined && { port: callbackPort }) }),
    clientName: 'ccmcp',
    store,
    ...(clientId !== undefined && { client: { id: clientId } }),
  });
  return { auth, settings };
}

/** A store for one sign-in: it holds the requested scopes and records the grant. */
function recordingStore(scope: string): {
  store: TokenStore;
  got: () => { key: TokenKey; stored: StoredGrant } | undefined;
} {
  const memory = memoryTokenStore();
  let last: TokenKey | undefined;
  let stored: StoredGrant | undefined;
  return {
    store: {
      get: async (key) => (await memory.get(key)) ?? (scope === '' ? undefined : { scope }),
      async set(key, grant) {
        if (grant.tokens !== undefined) [last, stored] = [key, grant];
        await memory.set(key, grant);
      },
      delete: (key) => memory.delete(key),
    },
    got: () => (last === undefined || stored === undefined ? undefined : { key: last, stored }),
  };
}

/** A token that the server rejects is not stored. */
async function verifyLogin({ target, options, output, signal }: TargetCall, auth: HttpAuth): Promise<void> {
  const client = await openClient({ target, options, output, terminal: noTerminal, signal, auth, isProbe: true });
  await client.close();
}

/** Stores the registered port: another one would need a new registration. */
function withPort(settings: LoginSettings, { client }: StoredGrant): LoginSettings {
  const port = client && URL.canParse(client.redirectUrl) ? Number(new URL(client.redirectUrl).port) : 0;
  return port > 0 && settings.callbackPort === undefined ? { ...settings, callbackPort: port } : settings;
}

/** Stores the client id, which a refresh needs. */
function withClient(grant: StoredGrant, { clientId, callbackPort = 0 }: LoginSettings): StoredGrant {
  if (clientId === undefined) return grant;
  return { ...grant, client: { id: clientId, redirectUrl: `http://127.0.0.1:${callbackPort}/callback` } };
}
