import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { useServer } from '../harness/server.ts'
import { speaking } from './orgs-support.ts'
import { newVerifiedUser } from './support.ts'

const server = useServer()
const { call, join } = speaking(server)

const GUIDE = resolve(import.meta.dir, '../../docs/organizations.md')

test('the commands of the guide work as they are written', async () => {
  const guide = await Bun.file(GUIDE).text()
  const commands = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.trim().split(/\n(?=curl )/),
  )
  expect(commands.length).toBeGreaterThan(9)

  const owner = await newVerifiedUser(server.current)
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', TOKEN: owner.accessToken }
  const run = async (command: string) => {
    const here = command.replaceAll('http://localhost:3000', server.current.url)
    const child = Bun.spawn(['bash', '-euc', here.replace('curl -s', 'curl -s --fail-with-body')], {
      env,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const answer = await child.stdout.text()
    expect([command, await child.exited, answer]).toEqual([command, 0, answer])
    return answer ? JSON.parse(answer) : undefined
  }

  const answers: Record<string, unknown>[] = []
  for (const command of commands) {
    const answer = await run(command)
    answers.push(answer)
    if (env.ORG_ID) continue
    env.ORG_ID = answer.id
    env.USER_ID = (await join(owner, answer)).id
  }
  expect(answers.find((answer) => answer?.invite_url)).toMatchObject({ email: 'ben@example.com' })
  expect(answers.find((answer) => answer?.memories)).toMatchObject({
    memories: [{ content_text: 'The quarterly report is due on 15 April' }],
  })
  expect(answers.find((answer) => answer?.credential)).toMatchObject({ org: { id: env.ORG_ID } })
  expect((await call(owner, 'GET', 'orgs')).body).toEqual([])
})
