/**
 * The network that an address stands for: itself, or of IPv6 the first half, since a client may choose the second half
 * of its address as it likes.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : undefined;
  if (plain !== undefined) return plain;
  const [before = '', after] = (address.split('%')[0] as string).split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: gap }, () => '0'), ...tail];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
