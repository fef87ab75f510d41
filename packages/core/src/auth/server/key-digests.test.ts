import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256ByWebCrypto } from '../../runtime/sha256.ts';
import { portableEqual, equalDigests, SaltedDigests, sha256 } from './key-digests.ts';

describe('digests of keys', () => {
  it('are the same SHA-256 by Node and WebCrypto', async () => {
    for (const key of ['', 'secret', 'grüße', 'x'.repeat(9000)]) {
      const digest = createHash('sha256').update(key).digest('hex');
      expect(Buffer.from(await sha256(key)).toString('hex')).toBe(digest);
      expect(Buffer.from(await sha256ByWebCrypto(key)).toString('hex')).toBe(digest);
    }
  });

  it('with a salt are equal for one key, by Node and WebCrypto, and differ between salts', async () => {
    const [digests, others] = [new SaltedDigests(), new SaltedDigests()];
    const digest = await digests.of('secret');
    expect(digest).toHaveLength(32);
    expect(equalDigests(digest, await digests.of('secret'))).toBe(true);
    expect(equalDigests(digest, await digests.byWebCrypto('secret'))).toBe(true);
    expect(equalDigests(digest, await digests.of('secreT'))).toBe(false);
    expect(equalDigests(digest, await others.of('secret'))).toBe(false);
  });

  it.each([
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[0, 2], [1, 2], false],
    [[1, 2], [1], false],
    [[], [], true],
  ])('%j and %j are the same: %j', (one, other, same) => {
    for (const compare of [equalDigests, portableEqual]) {
      expect(compare(new Uint8Array(one), new Uint8Array(other))).toBe(same);
    }
  });
});
