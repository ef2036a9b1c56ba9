import { expect, setDefaultTimeout, test } from 'bun:test'
import { resolve } from 'node:path'
import { useServerWithMail } from '../harness/mail.ts'
import { newMailedUser } from './automation-support.ts'

setDefaultTimeout(60_000)
const opened = useServerWithMail()

test('the commands of the guide work as they are written', async () => {
  const guide = await Bun.file(resolve(import.meta.dir, '../../docs/automation.md')).text()
  const script = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join('\n')
  expect(script).toContain('call ')
  const user = await newMailedUser(opened.server, opened.mailbox)
  const child = Bun.spawn(['bash', '-eo', 'pipefail', '-c', script], {
    env: { PATH: process.env.PATH, SVC_URL: opened.server.url, SVC_API_KEY: user.key },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([stderr, await child.exited]).toEqual(['', 0])
  expect(stdout).toEndWith('{}')
  const mail = await opened.mailbox.next(user.email, 'Too hot')
  expect(mail.to).toEqual([user.email])
})
