import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { useConversation } from '../conversation/support.ts'
import { hasPrograms } from '../harness/programs.ts'
import { FRAMEWORKS, PYTHON_SOURCE, runPython, temporaryScript } from './python.ts'

const suite = useConversation()

const blocksOf = (page: string): string[] =>
  [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

const PLACEHOLDERS = 'memory_id = "01a1fdd5-1d91-733f-bcad-fcb5b119e8f9"\n'

/** Runs the Python blocks of a page in order, as one program. */
const runPage = async (path: string): Promise<string> => {
  const page = readFileSync(join(import.meta.dir, '../..', path), 'utf8')
  const { key } = await suite.newUser()
  const code = [PLACEHOLDERS, ...blocksOf(page)]
    .join('\n')
    .replaceAll('http://localhost:3000', suite.server.url)
    .replaceAll('svc_...', key)
    .replaceAll('ada@example.com', `${crypto.randomUUID()}@example.com`)
  return runPython(temporaryScript(code), {
    env: { SVC_URL: suite.server.url, SVC_API_KEY: key },
    from: [PYTHON_SOURCE, FRAMEWORKS],
  })
}

describe.skipIf(!hasPrograms('python3'))('the Python of the documentation', () => {
  test('each block of the reference runs', async () => {
    const output = await runPage('docs/reference/clients.md')
    expect(output).toStartWith('Ada prefers tea to coffee.\n')
    expect(output).toContain('\ndone\nsvc_')
    expect(output).toContain('text/plain b')
    expect(output).toContain('memory_not_found ')
  })

  test('each block of the README of the package runs', async () => {
    const output = await runPage('clients/python/README.md')
    expect(output).toContain('Ada prefers tea to coffee.\nHello.')
    expect(output).toContain('memory_not_found ')
  })
})
