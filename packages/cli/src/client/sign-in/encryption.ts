import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';

/** Encrypts a text; `about` is authenticated and must match at decryption. */
export function encrypt(text: string, key: Buffer, about: string): string {
  const nonce = randomBytes(12);
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const inside = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), inside]).toString('base64');
}

/** Decrypts a text; throws for a wrong key, another `about`, or a changed text. */
export function decrypt(encrypted: string, key: Buffer, about: string): string {
  const bytes = Buffer.from(encrypted, 'base64');
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, 12), { authTagLength: 16 });
  decryption.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decryption.update(bytes.subarray(28)), decryption.final()]).toString('utf8');
}
