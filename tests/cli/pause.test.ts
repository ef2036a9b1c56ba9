import { expect, test } from 'bun:test'
import { listMemories } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { type Machine, signedInMachine } from './svc.ts'

const server = useSharedServer()

/** Runs the hook, and sends what it had no time for. */
const prompt = async (machine: Machine, text: string, now = Date.now()) => {
  await machine.svc(['hook', 'codex'], {
    stdin: JSON.stringify({
      hook_event_name: 'UserPromptSubmit',
      session_id: 's',
      cwd: '/',
      turn_id: text,
      prompt: text,
    }),
    clock: { now: () => now, sleep: Bun.sleep },
  })
  await machine.svc(['spool'])
}

test('during a pause nothing is stored; svc resume and the end of the duration end it', async () => {
  const { machine, user } = await signedInMachine(server.current)
  const texts = async () =>
    (await user.client.call(listMemories)).memories.map((each) => each.content_text).toReversed()
  expect((await machine.svc(['pause'])).stdout).toContain('Assistants are paused')
  await prompt(machine, 'One.')
  expect((await machine.svc(['doctor'])).stdout).toContain('Assistants are paused')
  expect((await machine.svc(['resume'])).stdout).toBe('The pause has ended.\n')
  await prompt(machine, 'Two.')
  expect(await texts()).toEqual(['Two.'])
  const { stdout } = await machine.svc(['pause', '30m', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ paused: true, until: expect.any(String) })
  await prompt(machine, 'Three.')
  await prompt(machine, 'Four.', Date.now() + 31 * 60_000)
  expect(await texts()).toEqual(['Two.', 'Four.'])
})

test.each(['30', 'm', '0m', '1y', '-5m'])('the duration %s is a usage error', async (duration) => {
  const { machine } = await signedInMachine(server.current)
  expect((await machine.svc(['pause', '--', duration])).code).toBe(2)
})
