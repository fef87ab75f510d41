import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts records for a store that instances share, and names them. */
export interface Encryption {
  /** Encrypts a text that belongs to `about`: with other words there, it can't be decrypted. */
  encrypt(text: string, about: string): string;
  /** The text; undefined if it was changed, or belongs to something else. */
  decrypt(sealed: string, about: string): string | undefined;
  /** A name that tells nothing about what it is for. */
  nameOf(about: string): string;
}

const cipher = 'aes-256-gcm';

/** Derives the keys for one use from a secret of the operator. */
export function createEncryption(secret: string, use: { encryption: string; names: string }): Encryption {
  const derive = (what: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', `ccmcp gateway ${what}`, 32));
  const keys = { encryption: derive(use.encryption), names: derive(use.names) };
  return {
    encrypt(text, about) {
      const nonce = randomBytes(12);
      const encryption = createCipheriv(cipher, keys.encryption, nonce).setAAD(Buffer.from(about));
      const inside = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
      return Buffer.concat([nonce, encryption.getAuthTag(), inside]).toString('base64');
    },
    decrypt(sealed, about) {
      try {
        const bytes = Buffer.from(sealed, 'base64');
        const decryption = createDecipheriv(cipher, keys.encryption, bytes.subarray(0, 12), { authTagLength: 16 });
        decryption.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decryption.update(bytes.subarray(28)), decryption.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
    nameOf: (about) => createHmac('sha256', keys.names).update(about).digest('base64url'),
  };
}
