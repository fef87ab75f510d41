/** An address that a server wants visited, before it is: its host apart, and all of it. */
export function ShownAddress({ address }: { address: string }) {
  const host = hostToVisit(address);
  return (
    <>
      {host === undefined ? (
        <p class="bad">This is no address of the web, so it is not opened.</p>
      ) : (
        <p>
          Host <strong class="mono">{host}</strong>
        </p>
      )}
      <pre>{address}</pre>
    </>
  );
}

/** The host of an address of the web; others are not opened. */
export function hostToVisit(address: string): string | undefined {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'https:' || protocol === 'http:' ? host : undefined;
  } catch {
    return undefined;
  }
}
