import { createHash, randomUUID } from 'node:crypto';
import type { ServerState, Granted } from './server-state.ts';
import { clientOf } from './clients.ts';
import type { Answer, Seen } from './http.ts';
import { mint } from './mint.ts';
import { checkProof } from './proof-check.ts';
import type { KnownClient } from './settings.ts';

const invalidGrant: Answer = { status: 400, json: { error: 'invalid_grant' } };

/** Answers a token request. */
export async function answerToken(state: ServerState, seen: Seen): Promise<Answer> {
  const form = new URLSearchParams(seen.body);
  const instead = await state.settings.onToken?.(form, seen);
  if (instead !== undefined) return instead;
  const client = clientOf(state, seen);
  if (client === undefined) return { status: 401, json: { error: 'invalid_client' } };
  const proof = keyOf(state, seen);
  if ('refusal' in proof) return proof.refusal;
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(state, { form, client, jkt: proof.jkt });
    case 'refresh_token':
      return redeemRefreshToken(state, { form, client, jkt: proof.jkt });
    case 'client_credentials': {
      const granted = { client: client.id, subject: client.id, scope: form.get('scope') ?? '', jkt: proof.jkt };
      return issue(state, { ...granted, resource: form.get('resource') });
    }
    default:
      return { status: 400, json: { error: 'unsupported_grant_type' } };
  }
}

interface Request {
  form: URLSearchParams;
  client: KnownClient;
  jkt: string | undefined;
}

/** The thumbprint to bind the token to, if any. */
function keyOf({ settings, origin }: ServerState, { headers, method }: Seen): { jkt?: string } | { refusal: Answer } {
  const { dpop = 'accept', dpopNonce } = settings;
  const proof = headers.dpop;
  if (dpop === 'off' || (proof === undefined && dpop === 'accept')) return {};
  const checked = checkProof(String(proof), { method, url: `${origin}/token`, nonce: dpopNonce });
  if ('jkt' in checked) return checked;
  const headersOut = dpopNonce === undefined ? {} : { 'DPoP-Nonce': dpopNonce };
  return { refusal: { status: 400, headers: headersOut, json: checked } };
}

function redeemCode(state: ServerState, { form, client, jkt }: Request): Answer {
  const code = form.get('code') ?? '';
  const question = state.codes.get(code);
  state.codes.delete(code);
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const resource = form.get('resource');
  const good =
    question?.code_challenge === verified &&
    question.code_challenge_method === 'S256' &&
    question.client_id === client.id &&
    question.redirect_uri === form.get('redirect_uri') &&
    (question.resource ?? null) === resource;
  if (!good) return invalidGrant;
  const { subject = 'user-1' } = state.settings;
  return issue(state, { client: client.id, subject, scope: question.scope ?? '', resource, jkt }, randomUUID());
}

function redeemRefreshToken(state: ServerState, { form, client, jkt }: Request): Answer {
  const known = state.refreshTokens.get(form.get('refresh_token') ?? '');
  if (known === undefined) return invalidGrant;
  if (known.used) {
    for (const [token, { family }] of state.refreshTokens) {
      if (family === known.family) state.refreshTokens.delete(token);
    }
    return invalidGrant;
  }
  known.used = true;
  const good = known.client === client.id && known.resource === form.get('resource') && known.jkt === jkt;
  return good ? issue(state, known, known.family) : invalidGrant;
}

function issue(state: ServerState, granted: Granted, family?: string): Answer {
  const { settings, refreshTokens } = state;
  const { client, subject, scope, resource, jkt } = granted;
  const token = mint(state, {
    subject,
    clientId: client,
    scopes: scope === '' ? [] : scope.split(' '),
    ...(resource === null ? {} : { audience: resource }),
    ...(jkt === undefined ? {} : { boundTo: jkt }),
  });
  const refreshToken = `refresh-${randomUUID()}`;
  const isRefreshed = family !== undefined && settings.refreshTokens !== false;
  if (isRefreshed) refreshTokens.set(refreshToken, { ...granted, used: false, family });
  const { lifetime = 3600 } = settings;
  return {
    headers: { 'Cache-Control': 'no-store' },
    json: {
      access_token: token,
      token_type: jkt === undefined ? 'Bearer' : 'DPoP',
      ...(lifetime === null ? {} : { expires_in: lifetime }),
      ...(isRefreshed ? { refresh_token: refreshToken } : {}),
      ...(scope === '' ? {} : { scope }),
    },
  };
}
