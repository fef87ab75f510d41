import type { TargetCall } from '../client/context.ts';
import { Failure } from '../command/failure.ts';
import { type Identity, identityOf, formatIdentity } from './identity.ts';
import { type StoredLogin, openLoginStore } from './login-store.ts';
import { requireUrl } from './login.ts';

/** `ccmcp logout URL`: deletes the login for a server. */
export async function logout({ target, output }: TargetCall): Promise<number> {
  const kept = await findLogin(requireUrl('logout', target), output, () => undefined);
  await forget(kept);
  output.value({ forgotten: [kept.resource] }, () => `The login for ${kept.resource} is forgotten.`);
  return 0;
}

/** `ccmcp logout --all`: deletes every login. */
export async function logoutAll({ options, output }: Pick<TargetCall, 'options' | 'output'>): Promise<number> {
  const all = await allLogins(output);
  if (!options.all) {
    throw new Failure('usage', 'logout needs the URL of a server, or --all', {
      hint: all.length === 0 ? 'There are no logins.' : `There are logins for ${all.map(({ url }) => url).join(', ')}`,
    });
  }
  for (const kept of all) await forget(kept);
  output.value({ forgotten: all.map(({ resource }) => resource) }, () =>
    all.length === 1 ? 'One login is forgotten.' : `${all.length} logins are forgotten.`,
  );
  return 0;
}

/** `ccmcp whoami URL`: shows who the user is to a server. */
export async function whoami({ target, output }: TargetCall): Promise<number> {
  const kept = await findLogin(requireUrl('whoami', target), output, ({ href }) => `Sign in: ccmcp login ${href}`);
  const who = identityOf(kept, (await openLoginStore().get(kept)) ?? {});
  output.value(who, () => formatIdentity(who));
  return 0;
}

/** `ccmcp whoami`: shows every login. */
export async function whoamiAll({ output }: Pick<TargetCall, 'output'>): Promise<number> {
  const logins = openLoginStore();
  const known: Identity[] = [];
  for (const kept of await allLogins(output)) {
    known.push(identityOf(kept, (await logins.get(kept).catch(() => undefined)) ?? {}));
  }
  output.value({ logins: known }, () =>
    known.length === 0 ? 'There are no logins.' : known.map(formatIdentity).join('\n\n'),
  );
  return 0;
}

async function allLogins(output: TargetCall['output']): Promise<StoredLogin[]> {
  const { logins, problems } = await openLoginStore().list();
  for (const problem of problems) output.note(`Warning: ${problem}`);
  return logins;
}

async function findLogin(
  url: URL,
  output: TargetCall['output'],
  hintFor: (url: URL) => string | undefined,
): Promise<StoredLogin> {
  const { login, problems } = await openLoginStore().find(url);
  for (const problem of problems) output.note(`Warning: ${problem}`);
  if (login !== undefined) return login;
  throw new Failure('unauthorized', `There is no login for ${url.href}`, { hint: hintFor(url) });
}

/** Waits for a refresh that is under way: it would store the login again. */
function forget(kept: StoredLogin): Promise<void> {
  const logins = openLoginStore();
  return logins.exclusively(kept, () => logins.delete(kept));
}
