import { describe, expect } from 'bun:test'
import { browserTest } from '../browser/support.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { useConsole } from './support.ts'

const cases: [turnedOff: string, shown: string[], hidden: string[]][] = [
  ['', ['Provisioning', 'Webhooks'], []],
  ['-scim', ['Webhooks'], ['Provisioning']],
  ['-scim,-webhooks', [], ['Provisioning', 'Webhooks']],
]
for (const [turnedOff, shown, hidden] of cases)
  describe(`a server with SVC_FEATURES="${turnedOff}"`, () => {
    const server = useServer({ SVC_FEATURES: turnedOff })
    const { open } = useConsole(server)

    browserTest('an organization has the sections of the features that are on', async () => {
      const owner = await newUser(server.current)
      const { body: org } = await request(server.current, 'POST', '/api/orgs', {
        token: owner.accessToken,
        body: { name: 'Boats' },
      })
      const page = await open(owner, `/people/organizations/${org.id}`)
      const section = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
      await section('Members').waitFor()
      for (const name of shown) await section(name).waitFor()
      for (const name of hidden) expect(await section(name).count()).toBe(0)
    })
  })
