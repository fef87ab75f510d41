import { randomUUID } from 'node:crypto';
import { type Books, issuerOf } from './books.ts';
import { mayReturn } from './clients.ts';
import type { Answer, Seen } from './http.ts';

/** Sends a user back with a code at once: nobody is asked. */
export function answerAuthorization(books: Books, { query }: Seen): Answer {
  const { settings, codes, clients } = books;
  const question = Object.fromEntries(query);
  const { redirect_uri: redirectUri = '', client_id: clientId = '', state } = question;
  const client = clients.get(clientId) ?? settings.clients?.find(({ id }) => id === clientId);
  if (!URL.canParse(redirectUri) || !mayReturn(client, redirectUri)) {
    return { status: 400, text: 'The redirect_uri is not one of this client' };
  }
  const back = new URL(redirectUri);
  const iss =
    settings.iss === undefined ? ((settings.metadata?.issuer as string | undefined) ?? issuerOf(books)) : settings.iss;
  if (iss !== null) back.searchParams.set('iss', iss);
  if (state !== undefined) back.searchParams.set('state', state);
  if (settings.refuseUser === undefined) {
    const code = randomUUID();
    codes.set(code, question);
    back.searchParams.set('code', code);
  }
  for (const [name, value] of Object.entries(settings.refuseUser ?? {})) back.searchParams.set(name, value);
  return { status: 302, headers: { Location: back.href } };
}
