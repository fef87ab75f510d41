// @ts-nocheck: plain JavaScript; the packages are not there before the benchmark has installed them.
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { oauth, serveHttp } from '@ccmcp/core/http';
import { makeServer } from './server.mjs';

// The cost of tokens:  node auth.mjs PORT MODE open|ignored|checked  serves;  node auth.mjs costs  prints the cost of checks.

const resource = 'https://api.example.com/mcp';
const keys = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const jwkOf = (alg) => ({ ...keys[alg].publicKey.export({ format: 'jwk' }), kid: alg, alg });
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

const issuerServer = createServer((request, response) => {
  const { port } = issuerServer.address();
  const issuer = `http://127.0.0.1:${port}`;
  const body =
    request.url === '/jwks' ? { keys: Object.keys(keys).map(jwkOf) } : { issuer, jwks_uri: `${issuer}/jwks` };
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
}).listen(0, '127.0.0.1');
await once(issuerServer, 'listening');
issuerServer.unref();
const issuer = `http://127.0.0.1:${issuerServer.address().port}`;

const [port, , mode] = process.argv.slice(2);
if (port === 'costs') await costs();
else {
  const auth = mode === 'checked' ? { resource, auth: oauth({ issuer }) } : {};
  await serveHttp(makeServer(), { port: Number(port), callerShare: 100, ...auth });
  console.log(`ready ${tokenFor('RS256', 'anna')}`);
}

function signJwt(alg, header, claims) {
  const text = `${encode({ alg, ...header })}.${encode(claims)}`;
  const key = { key: keys[alg].privateKey, dsaEncoding: 'ieee-p1363' };
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function tokenFor(alg, sub, more = {}) {
  const now = Math.floor(Date.now() / 1000);
  const client = {
    client_id: 'https://client.example/metadata.json',
    jti: crypto.randomUUID(),
    scope: 'notes:read notes:write',
  };
  const claims = { iss: issuer, sub, aud: resource, iat: now, exp: now + 3600, ...client, ...more };
  return signJwt(alg, { kid: alg, typ: 'at+jwt' }, claims);
}

function bareCheck(alg, token, key = keys[alg].publicKey) {
  const dot = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(dot + 1), 'base64url');
  if (!verify('sha256', Buffer.from(token.slice(0, dot)), { key, dsaEncoding: 'ieee-p1363' }, signature))
    throw new Error('wrong');
}

/** CPU time of all threads for each of these, in microseconds. */
async function cpuUs(list, work) {
  const before = process.cpuUsage();
  for (const each of list) {
    const given = work(each);
    if (given instanceof Promise) await given;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / list.length;
}

async function costs() {
  const endpoint = { resource, path: '/mcp', store: { claim: () => true }, log: () => {} };
  const result = {};
  // Separate strings, flat like those read from a connection.
  const flat = (text) => (text === undefined ? undefined : Buffer.from(text, 'latin1').toString('latin1'));
  const request = (authorization, dpop) => {
    const headers = { authorization: flat(authorization), dpop: flat(dpop) };
    return { method: 'POST', path: '/mcp', address: undefined, header: (name) => headers[name] };
  };
  const letIn = (auth, given) => {
    const check = (caller) => {
      if (caller?.principal === undefined) throw new Error('refused');
    };
    const answer = auth.authenticate(given);
    return answer instanceof Promise ? answer.then(check) : check(answer);
  };
  for (const alg of ['RS256', 'ES256']) {
    const auth = oauth({ issuer }).at(endpoint);
    // Until the code is compiled, and the keys are loaded.
    for (let index = 0; index < 3000; index++) await letIn(auth, request(`Bearer ${tokenFor(alg, `first-${index}`)}`));
    const rounds = [];
    for (let round = 0; round < 9; round++) {
      const tokens = Array.from({ length: 600 }, (_, index) => tokenFor(alg, `user-${round}-${index}`));
      const requests = tokens.map((token) => request(`Bearer ${token}`));
      const bare = await cpuUs(tokens, (token) => bareCheck(alg, token));
      const whole = await cpuUs(requests, (each) => letIn(auth, each));
      const again = await cpuUs(requests, (each) => letIn(auth, each));
      rounds.push({ bare, whole, again });
    }
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[4];
    result[alg] = {
      bareUs: median(({ bare }) => bare),
      firstUs: median(({ whole }) => whole),
      firstTimes: median(({ bare, whole }) => whole / bare),
      againUs: median(({ again }) => again),
    };
  }
  result.dpop = await dpopCosts(endpoint, request, letIn);
  result.verdictsMb = await memoryOfVerdicts(endpoint, request, letIn);
  console.log(JSON.stringify(result));
}

async function dpopCosts(endpoint, request, letIn) {
  const auth = oauth({ issuer, dpop: 'accept' }).at(endpoint);
  const { kid: _kid, alg: _alg, ...jwk } = jwkOf('ES256');
  const members = JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y });
  const digest = (text) => createHash('sha256').update(text).digest('base64url');
  const token = tokenFor('RS256', 'bound', { cnf: { jkt: digest(members) } });
  const ath = digest(token);
  const proof = () => {
    const claims = { htm: 'POST', htu: resource, jti: crypto.randomUUID(), iat: Math.floor(Date.now() / 1000), ath };
    return signJwt('ES256', { typ: 'dpop+jwt', jwk }, claims);
  };
  await letIn(auth, request(`DPoP ${token}`, proof()));
  const rounds = [];
  for (let round = 0; round < 9; round++) {
    const proofs = Array.from({ length: 600 }, proof);
    const requests = proofs.map((each) => request(`DPoP ${token}`, each));
    const bareUs = await cpuUs(proofs, (each) =>
      bareCheck('ES256', each, createPublicKey({ key: jwk, format: 'jwk' })),
    );
    const wholeUs = await cpuUs(requests, (each) => letIn(auth, each));
    rounds.push({ bareUs, wholeUs });
  }
  const median = (name) => rounds.map((each) => each[name]).sort((a, b) => a - b)[4];
  return { bareUs: median('bareUs'), wholeUs: median('wholeUs') };
}

async function memoryOfVerdicts(endpoint, request, letIn) {
  const auth = oauth({ issuer, revalidateMs: 3_600_000 }).at(endpoint);
  const fill = async (from, count) => {
    for (let index = from; index < from + count; index++) {
      const sub = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      await letIn(auth, request(`Bearer ${tokenFor('RS256', sub)}`));
    }
  };
  const live = () => {
    for (let count = 0; count < 4; count++) globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  await fill(0, 200);
  const before = live();
  await fill(200, 9800);
  return ((live() - before) / 1024 / 1024) * (10_000 / 9800);
}
