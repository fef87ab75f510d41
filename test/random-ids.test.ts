import { expect, it } from 'vitest';
import { publishedSources } from './support/imports.ts';

// A text that begins with "-" is parsed as an option when it is pasted into a command line. One in 64 random base64url
// texts does.

/** Places that write random base64url, and why users never see a leading dash. */
const withoutDash: Record<string, string> = {
  'packages/core/src/features/result-budget/kept-pages.ts': 'the value of an argument and the end of a URI',
  'packages/core/src/features/tasks/task-id.ts': 'such bytes are drawn again',
  'packages/core/src/auth/jwt.ts': 'values in the middle of URLs and forms, between two programs',
  'packages/core/src/auth/server/oauth/dpop-proof.ts': 'values of a header, between two programs',
  'packages/core/src/auth/server/key-digests.ts': 'a digest that stays inside; the random bytes are a salt',
  'packages/core/src/server/call/request-state.ts': 'begins with a prefix',
  'packages/gateway/src/credentials/encryption.ts': 'keys in the store; the random bytes are an initialization vector',
  'packages/gateway/src/credentials/sign-in-records.ts': 'values in the middle of URLs; the random bytes are a key',
  'packages/gateway/src/credentials/pending-sign-ins.ts': 'values in the middle of URLs and cookies',
  'packages/inspector/src/server/target-resolver.ts': 'a code between the page and its server',
};

it('writes no random id for people in base64url, which may begin with a dash', () => {
  const found = publishedSources()
    .filter(({ text }) => /\b(?:randomBytes|getRandomValues)\(/.test(text) && /base64url/i.test(text))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(withoutDash).sort());
});
