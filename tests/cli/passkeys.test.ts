import { expect, setDefaultTimeout, test } from 'bun:test'
import { createAuthenticator } from '../harness/authenticator.ts'
import { request, type TestUser, useSharedServer } from '../harness/server.ts'
import { inTerminal, signedInMachine } from './svc.ts'

const server = useSharedServer()
setDefaultTimeout(120_000)

const addPasskey = async ({ accessToken: token }: TestUser, name: string) => {
  const post = async (path: string, body?: object) =>
    (
      await request(server.current, 'POST', `/api/auth/passkeys${path}`, {
        token,
        ...(body && { body }),
      })
    ).body
  const authenticator = await createAuthenticator(new URL(server.current.baseUrl).origin)
  const response = await authenticator.register((await post('/options')).options)
  return (await post('', { name, response })).id as string
}

test('svc passkeys lists, renames and removes passkeys by id and by name', async () => {
  const { user, machine } = await signedInMachine(server.current)
  const empty = await machine.svc(['passkeys', 'list'])
  expect([empty.code, empty.stderr]).toEqual([
    0,
    'No passkeys. To add one, run: svc open settings\n',
  ])
  const phone = await addPasskey(user, 'phone')
  const laptop = await addPasskey(user, 'laptop')
  const listed = await machine.svc(['passkeys', 'list', '--json'])
  expect(JSON.parse(listed.stdout).map(({ id }: { id: string }) => id)).toEqual([laptop, phone])

  const renamed = await machine.svc(['passkeys', 'rename', 'phone', 'old phone'])
  expect([renamed.code, renamed.stderr]).toEqual([0, 'Renamed the passkey to old phone.\n'])
  expect((await machine.svc(['passkeys', 'list'])).stdout).toMatch(/never +no +old phone/)

  const unconfirmed = await machine.svc(['passkeys', 'remove', 'old phone'])
  expect(unconfirmed.code).toBe(2)
  const terminal = inTerminal(machine, ['passkeys', 'remove', 'old phone'])
  await terminal.sees(/Remove the passkey old phone\? \[y\/N\] /)
  terminal.type('y\r')
  expect(await terminal.child.exited).toBe(0)
  const removed = await machine.svc(['passkeys', 'remove', laptop, '--yes'])
  expect([removed.code, removed.stderr]).toEqual([0, 'Removed the passkey laptop.\n'])
  expect((await machine.svc(['passkeys', 'remove', 'laptop', '--yes'])).code).not.toBe(0)
})
