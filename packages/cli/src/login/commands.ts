import { Failure } from '../command/failure.ts';
import type { LoginContext } from './login.ts';
import { type KeptLogin, keptLogins } from './login-store.ts';
import { login } from './login.ts';
import { type Who, whoIs, whoText } from './identity.ts';

/** Runs a command about the login for one server. */
export async function aboutLogin(name: 'login' | 'logout' | 'whoami', context: LoginContext): Promise<number> {
  const { target, output } = context;
  if (target.kind !== 'url') {
    throw new Failure('usage', `${name} is for servers behind a URL: a command gets its credentials with --env`);
  }
  const { url } = target;
  if (name === 'login') return login({ ...context, url });
  const logins = keptLogins();
  const { login: kept, problems } = await logins.find(url);
  for (const problem of problems) output.note(`Warning: ${problem}`);
  if (kept === undefined) {
    throw new Failure('unauthorized', `There is no login for ${url.href}`, {
      hint: name === 'logout' ? undefined : `Sign in: ccmcp login ${url.href}`,
    });
  }
  if (name === 'whoami') {
    const who = whoIs(kept, (await logins.get(kept)) ?? {});
    output.value(who, () => whoText(who));
    return 0;
  }
  await forget(kept);
  output.value({ forgotten: [kept.resource] }, () => `The login for ${kept.resource} is forgotten.`);
  return 0;
}

/** Runs a command about all logins. */
export async function aboutAll(
  name: 'logout' | 'whoami',
  { options, output }: Pick<LoginContext, 'options' | 'output'>,
): Promise<number> {
  const logins = keptLogins();
  const { logins: all, problems } = await logins.list();
  for (const problem of problems) output.note(`Warning: ${problem}`);
  if (name === 'whoami') {
    const known: Who[] = [];
    for (const kept of all) known.push(whoIs(kept, (await logins.get(kept).catch(() => undefined)) ?? {}));
    output.value({ logins: known }, () =>
      known.length === 0 ? 'There are no logins.' : known.map(whoText).join('\n\n'),
    );
    return 0;
  }
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

/** Not while somebody renews it: they would write it again. */
function forget(kept: KeptLogin): Promise<void> {
  const logins = keptLogins();
  return logins.exclusively(kept, () => logins.delete(kept));
}
