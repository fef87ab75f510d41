import { expect, it } from 'vitest';
import { explainInstall, npm } from './npm.ts';

it.each([
  ['npm error code ENOTFOUND\nnpm error network request to https://x failed', 'can not reach its registry'],
  ['npm error code EAI_AGAIN', 'can not reach its registry'],
  ["npm error code E404\nnpm error 404  The requested resource '@ccmcp/core@^0.1.0'", 'from a clone'],
  ['npm error code EACCES\nnpm error syscall mkdir\n', 'npm error syscall mkdir'],
])('what npm says is told in words: %s', (stderr, text) => {
  expect(explainInstall(stderr)).toContain(text);
});

it('npm that was told to end has ended', async () => {
  const controller = new AbortController();
  const running = npm(['--version'], { cwd: '.', signal: controller.signal });
  controller.abort(new Error('interrupted'));
  await expect(running).rejects.toThrow('interrupted');
});
