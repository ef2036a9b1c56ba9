import { join } from 'node:path'
import type { Frame, FrameLocator, Page } from 'playwright-core'
import { rememberBatch } from '../../../shared/contract/index.ts'
import { useBrowser } from '../../browser/support.ts'
import { newUser, type TestUser, useServer } from '../../harness/server.ts'

/** Bundled once. */
let script: Promise<string> | undefined
const hostScript = async (): Promise<string> => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'host.ts')],
    target: 'browser',
  })
  return (await built.outputs[0]?.text()) ?? ''
}

/** The sandbox of hosts: scripts run, in an origin of their own. */
const HOST_PAGE =
  '<!doctype html><html lang="en"><title>Host</title><body style="margin:0"><iframe id="app" title="svc" sandbox="allow-scripts" style="width:100%;border:0"></iframe>'

interface Options {
  theme?: 'light' | 'dark'
  query?: string
  format?: string
}

/** A browser, and a host that recalls and opens the page of the result. */
export const useAppHost = () => {
  const server = useServer()
  const browser = useBrowser(server)
  const showRecall = async (
    user: TestUser,
    { theme = 'light', query = '', ...more }: Options = {},
  ): Promise<{ page: Page; app: FrameLocator }> => {
    const page = await browser.visit({ viewport: { width: 520, height: 700 } })
    const address = `${server.current.baseUrl}/host-of-the-test`
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', body: HOST_PAGE }),
    )
    await page.goto(address)
    script ??= hostScript()
    await page.evaluate(await script)
    const input = { query: 'What does Ada drink?', ...more }
    await page.evaluate(`showRecall(${JSON.stringify({ key: user.key, theme, query, input })})`)
    const app = page.frameLocator('#app')
    await app.getByRole('heading', { level: 1 }).waitFor()
    return { page, app }
  }

  const withMemories = async (): Promise<{ user: TestUser; ids: string[] }> => {
    const user = await newUser(server.current)
    const { memories } = await user.client.call(rememberBatch, {
      body: { memories: contents.map((content) => ({ content, tags: ['drinks'] })) },
    })
    return { user, ids: memories.map(({ memory_id }) => memory_id) }
  }
  return { server, browser, showRecall, withMemories }
}

export const contents = ['Ada drinks tea.', 'Ada drinks no coffee.', 'Bob drinks water.'] as const

export const cardOf = (app: FrameLocator, name: string) => app.getByRole('article', { name })

/** The frame of the page. */
export const frameOf = (page: Page): Frame | undefined =>
  page.frames().find((each) => each !== page.mainFrame())
