/**
 * The time zone of this machine. UTC is not sent: it is the default of servers and containers, and
 * says nothing about the user.
 */
export const machineTimezone = (): string | undefined => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Unknown)$/i.test(timeZone) ? undefined : timeZone
}
