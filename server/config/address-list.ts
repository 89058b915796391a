import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** This machine alone. */
export const LOOPBACK = ['127.0.0.0/8', '::1/128'] as const

/** The range of an address (`10.0.0.5`) or of a CIDR (`10.0.0.0/8`); undefined if the text is neither. */
function rangeOf(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  // The library also reads `10` and `10.1` as addresses, which is a typing error here.
  if (!(ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text))) return undefined
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

export const isAddressOrRange = (text: string): boolean => rangeOf(text) !== undefined

/** Tells whether an address lies in one of the ranges; a text that is no address lies in none. */
export function addressMatcher(texts: readonly string[]): (address: string) => boolean {
  const ranges = texts.map(rangeOf).filter((range) => range !== undefined)
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base as never, bits))
  }
}
