import { expect } from 'bun:test'
import { newMachine, readUntil } from '../cli/svc.ts'
import { PASSWORD, uniqueEmail, useSharedServer } from '../harness/server.ts'
import { connectMcp, textOf } from '../mcp/client.ts'
import { browserTest, useBrowser } from './support.ts'

const server = useSharedServer()
const { visit } = useBrowser(server)

browserTest(
  'a new user signs in from the terminal and saves a memory, and an assistant recalls it',
  async () => {
    const machine = newMachine(server.current.url)
    const login = Bun.spawn(machine.command('login', '--no-browser'), {
      env: machine.env,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [address] = await readUntil(login.stderr.getReader(), /http\S+user_code=\S+/)

    const page = await visit()
    await page.goto(address)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email').fill(uniqueEmail())
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    expect(await login.exited).toBe(0)

    const sentence = 'The spare key is under the blue pot.'
    expect((await machine.svc(['remember', sentence])).code).toBe(0)
    const inTerminal = await machine.svc(['recall', 'Where is the spare key?'])
    expect(inTerminal.stdout).toContain(sentence)

    await using assistant = await connectMcp({
      SVC_CONFIG_DIR: machine.configDir,
      SVC_URL: server.current.url,
    })
    const recalled = await assistant.call('recall', { query: 'Where is the spare key?' })
    expect(textOf(recalled)).toContain(sentence)
  },
)
