import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'
import { oauthProviders } from '../../server/account/sign-in/oauth/providers/index.ts'
import { variables } from '../../server/config/variables.ts'
import { OAUTH_PROVIDERS } from '../../shared/contract/oauth-sign-in.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LIST = 'shared/contract/oauth-sign-in.ts'

test('every OAuth provider of the list has a row and config variables', () => {
  expect(Object.keys(oauthProviders).sort()).toEqual([...OAUTH_PROVIDERS].sort())
  for (const name of OAUTH_PROVIDERS)
    for (const part of ['ID', 'SECRET', 'AUTHORIZE_URL', 'TOKEN_URL', 'USERINFO_URL'])
      expect(Object.keys(variables)).toContain(`SVC_OAUTH_${name.toUpperCase()}_${part}`)
})

test('no source file other than the list names an OAuth provider', async () => {
  const naming: string[] = []
  for (const root of ['server', 'shared', 'cli', 'mcp'])
    for (const path of new Glob(`${root}/**/*.ts`).scanSync(ROOT)) {
      const text = await Bun.file(join(ROOT, path)).text()
      const names = OAUTH_PROVIDERS.flatMap((name) => [
        `'${name}'`,
        `SVC_OAUTH_${name.toUpperCase()}`,
      ])
      if (names.some((name) => text.includes(name))) naming.push(path)
    }
  expect(naming).toEqual([LIST])
})
