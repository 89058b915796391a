import ipaddr from 'ipaddr.js'

/** The deprecated IPv6 form of IPv4 addresses; the library only knows the current one, `::ffff:0:0/96`. */
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

/** Whether a text is a non-public address or no address at all; calls to it could reach this server's network. */
export function isInner(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6 && parsed.match(COMPATIBLE)) return true
  return parsed.range() !== 'unicast'
}
