import ipaddr from 'ipaddr.js'

/** IPv4 addresses in an old notation of IPv6; the library knows the newer one, `::ffff:0:0/96`. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/** Whether an address is no public host's, or is none: calls to it could reach into the network of this server. */
export function isInner(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.match(COMPATIBLE)) return true
  return parsed.range() !== 'unicast'
}
