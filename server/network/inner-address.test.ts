import { expect, test } from 'vitest'
import { isInner } from './inner-address.ts'

test.each([
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private networks', '10.0.0.0', '10.255.255.255'],
  ['private networks', '172.16.0.0', '172.31.255.255'],
  ['private networks', '192.168.0.0', '192.168.255.255'],
  ['a provider’s own network', '100.64.0.0', '100.127.255.255'],
  ['this machine', '127.0.0.0', '127.255.255.255'],
  ['one link', '169.254.0.0', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.255'],
  ['no address, this machine, IPv4 in the old notation', '::', '::ffff:ffff'],
  ['this machine, mapped', '::ffff:127.0.0.1', '::ffff:7fff:ffff'],
  ['translation', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['translation', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['discarded', '100::', '100::ffff:ffff:ffff:ffff'],
  ['tunnels and assignments', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['tunnels', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['private networks', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['one link', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['one site', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
])('%s: %s to %s is inner', (_what, first, last) => {
  expect([isInner(first), isInner(last)]).toEqual([true, true])
})

test('public addresses are not inner; texts that are not addresses are', () => {
  for (const address of ['8.8.8.8', '11.0.0.0', '172.32.0.0', '::ffff:8.8.8.8', '2400:3200::1']) {
    expect(isInner(address), address).toBe(false)
  }
  for (const text of ['', 'example.com', '::ffff:', '1.2.3.4.5']) expect(isInner(text), text).toBe(true)
})
