import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';

/** A key for one login, in hexadecimal digits. */
export function newKey(): string {
  return randomBytes(32).toString('hex');
}

/** A text that only who has the key can read; `about` must be the same when it is opened. */
export function sealed(text: string, key: string, about: string): string {
  const nonce = randomBytes(12);
  const encryption = createCipheriv(cipher, Buffer.from(key, 'hex'), nonce).setAAD(Buffer.from(about));
  const inside = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return Buffer.concat([nonce, encryption.getAuthTag(), inside]).toString('base64');
}

/** The text; throws where it was sealed with another key, about something else, or changed since. */
export function unsealed(seal: string, key: string, about: string): string {
  const bytes = Buffer.from(seal, 'base64');
  const decryption = createDecipheriv(cipher, Buffer.from(key, 'hex'), bytes.subarray(0, 12), { authTagLength: 16 });
  decryption.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decryption.update(bytes.subarray(28)), decryption.final()]).toString('utf8');
}
