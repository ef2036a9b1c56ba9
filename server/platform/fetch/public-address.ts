import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Public by its number, but answered inside Azure's network, with secrets of the machine. */
const AZURE_HOST = '168.63.129.16'

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared
 * (RFC 6598), multicast, reserved or set aside for documentation (IANA's special-purpose registries),
 * and of IPv6 only global unicast that carries no IPv4 address inside (so no mapped, compatible,
 * NAT64, 6to4 or Teredo address).
 */
export const isPublicAddress = (address: string): boolean => {
  // The library also takes zones, and numbers as C reads them.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv6' ? parsed.match(GLOBAL_UNICAST) : address !== AZURE_HOST
}
