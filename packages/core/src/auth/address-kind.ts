/** The kind of an IP address. */
export type AddressKind = 'public' | 'private' | 'link-local' | 'loopback' | 'unusable';

const ranges: readonly [AddressKind, readonly string[]][] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
  ['unusable', ['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24']],
  ['unusable', ['224.0.0.0/4', '240.0.0.0/4', '::/128', '100::/64', '2001:db8::/32', 'ff00::/8']],
];

interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

const subnets = ranges.flatMap(([kind, texts]) =>
  texts.map((text) => {
    const [address = '', length] = text.split('/');
    const { value, bits } = addressIn(address) as Address;
    const rest = BigInt(bits - Number(length));
    return { kind, bits, rest, head: value >> rest };
  }),
);

/** Classifies an IP address; undefined for a host name. */
export function addressKind(text: string): AddressKind | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const found = addressIn(address);
  if (found === undefined) return undefined;
  const { value, bits } = found;
  const inner = bits === 128 ? innerAddress(address) : undefined;
  if (inner !== undefined) return addressKind(inner);
  return subnets.find((subnet) => subnet.bits === bits && value >> subnet.rest === subnet.head)?.kind ?? 'public';
}

function addressIn(text: string): Address | undefined {
  if (text.includes(':')) return isIPv6(text) ? { value: numberOf(groupsOf(text), 16), bits: 128 } : undefined;
  const parts = text.split('.');
  const isIPv4 = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isIPv4
    ? {
        value: numberOf(
          parts.map((part) => Number(part).toString(16)),
          8,
        ),
        bits: 32,
      }
    : undefined;
}

function isIPv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}

/** Combines hexadecimal groups of `bits` bits to a number. */
function numberOf(groups: readonly string[], bits: number): bigint {
  return groups.reduce((number, group) => (number << BigInt(bits)) | BigInt(`0x${group}`), 0n);
}

/** The IPv4 address embedded in an IPv6 address: mapped, translated (NAT64), or tunnelled (6to4). */
function innerAddress(address: string): string | undefined {
  const groups = groupsOf(address);
  const head = groups.slice(0, 6).join(':');
  const isMapped = head === '0:0:0:0:0:ffff' || head === '64:ff9b:0:0:0:0';
  if (isMapped) return dotted(groups[6], groups[7]);
  return groups[0] === '2002' ? dotted(groups[1], groups[2]) : undefined;
}

function dotted(high = '0', low = '0'): string {
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [one >> 8, one & 255, two >> 8, two & 255].join('.');
}

/** The eight groups in canonical form, without compression. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

/** Whether the URL leads to this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/.test(hostname);
}
