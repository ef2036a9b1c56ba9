import type { Context } from '../context.ts'
import { oneLine } from '../output.ts'

/** Lists the stored sign-ins and marks the current one. */
export const runProfiles = async (context: Context): Promise<void> => {
  const { io, credentials, profileName } = context
  const stored = credentials.list().map(([name, { url, email, refresh_token }]) => ({
    name,
    url,
    email,
    session: refresh_token !== undefined,
    in_force: name === profileName,
  }))
  if (context.json) return io.printJson(stored)
  if (stored.length === 0) return io.info('No profiles. Run: svc login')
  const rows = stored.map((each) =>
    [each.in_force ? '*' : '', each.name, each.email, each.url].map(oneLine),
  )
  await io.printTable([['', 'PROFILE', 'ACCOUNT', 'SERVER'], ...rows])
  io.info('To use another one, add --profile NAME, or run: svc config set profile NAME')
}
