import { describe, expect, it } from 'vitest';
import { addressKind } from './address-kind.ts';

describe('an address', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['172.15.0.1', 'public'],
    ['172.32.0.1', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['64:ff9b::5db8:d822', 'public'],
    ['::ffff:93.184.216.34', 'public'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['[fd00::1]', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['2002:a00:1::', 'private'],
    ['169.254.169.254', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['127.0.0.1', 'loopback'],
    ['127.9.9.9', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['0.0.0.0', 'unusable'],
    ['::', 'unusable'],
    ['224.0.0.1', 'unusable'],
    ['255.255.255.255', 'unusable'],
    ['ff02::1', 'unusable'],
    ['example.com', undefined],
    ['', undefined],
  ])('%s is %s (OA-08)', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});
