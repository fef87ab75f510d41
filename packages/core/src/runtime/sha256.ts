const encoder = new TextEncoder();

/** The SHA-256 digest of a text, by Web Crypto: in every runtime, but asynchronous. */
export async function sha256ByWebCrypto(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)));
}
