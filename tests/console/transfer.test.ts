import { describe, expect } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMemories, remember } from '../../shared/contract/index.ts'
import { browserTest } from '../browser/support.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

const fileOf = (lines: string[]) => ({
  name: 'old <b>.ndjson',
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(lines.join('\n')),
})

describe('the import', () => {
  browserTest(
    'a file is imported, and the lines that failed are listed with the reason',
    async () => {
      const { client, ...user } = await newUser(server.current)
      const page = await open(user, '/memories/import')
      await expectAccessible(page)
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose a file' }).focus()
      await page.keyboard.press('Enter')
      await (await chooser).setFiles(
        fileOf(['{"content_text":"first"}', 'not json', '{"content_text":"second"}']),
      )
      await page.getByText('2 new memories, 0 already stored').waitFor()
      await page.getByText('1 line could not be imported').first().waitFor()
      await page
        .getByRole('row')
        .filter({ hasText: /^2.*JSON/ })
        .waitFor()
      await page.getByText('old <b>.ndjson').waitFor()
      await expectAccessible(page)
      expect((await client.call(listMemories)).memories.length).toBe(2)

      await page.getByRole('link', { name: 'Show the memories' }).click()
      await page.getByRole('row').filter({ hasText: 'second' }).waitFor()
      await page.goBack()
      await page.getByText('2 new memories, 0 already stored').waitFor()
    },
  )

  browserTest('a dropped file is imported', async () => {
    const page = await open(await newUser(server.current), '/memories/import')
    const directory = await mkdtemp(join(tmpdir(), 'svc-drop-'))
    const file = join(directory, 'drop.ndjson')
    await writeFile(file, '{"content_text":"dropped"}')
    const box = await page.getByText('Drop a file here').boundingBox()
    const input = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await input.send('Input.dispatchDragEvent', {
        type,
        x: box?.x ?? 0,
        y: box?.y ?? 0,
        data: { items: [], files: [file], dragOperationsMask: 1 },
      })
    await page.getByText('1 new memory, 0 already stored').waitFor()
    await rm(directory, { recursive: true })
  })
})

describe('the export', () => {
  browserTest(
    'all memories, or those selected, are saved as lines that the import reads',
    async () => {
      const { client, ...user } = await newUser(server.current)
      for (const content of ['one', 'two']) await client.call(remember, { body: { content } })
      const page = await open(user, '/memories')
      // The dialog of the browser cannot be used in a test.
      await page.evaluate(
        'delete Window.prototype.showSaveFilePicker; delete window.showSaveFilePicker',
      )
      const textsOf = async (button: string) => {
        const download = page.waitForEvent('download')
        await page.getByRole('button', { name: button, exact: true }).click()
        const path = await (await download).path()
        const lines = (await readFile(path, 'utf8')).trim().split('\n')
        return lines.map((line) => JSON.parse(line).content_text)
      }
      expect(await textsOf('Export all')).toEqual(['one', 'two'])
      await page.getByRole('row').filter({ hasText: 'two' }).getByRole('checkbox').click()
      expect(await textsOf('Export')).toEqual(['two'])
    },
  )
})
