import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { listProjects, remember } from '../../shared/contract/index.ts'
import { browserTest, heading } from '../browser/support.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

const row = (page: Page, project: string) =>
  page.getByRole('list', { name: 'Projects' }).getByRole('listitem').filter({ hasText: project })

/** A user with two notes of a shop and one of a blog. */
const withNotes = async () => {
  const user = await newUser(server.current)
  for (const [content, project] of [
    ['The blog is released daily.', 'ada/blog'],
    ['Releases are cut on Fridays.', 'acme/shop'],
    ['The shop runs on Hetzner.', 'acme/shop'],
  ] as const)
    await user.client.call(remember, { body: { content, project } })
  return user
}

describe('projects', () => {
  browserTest('an account without one sees how a project begins', async () => {
    const page = await open(await newUser(server.current), '/memories')
    await page.getByRole('link', { name: 'Projects' }).click()
    await heading(page, 'Projects')
    await page.getByText('--project acme/shop').waitFor()
    await expectAccessible(page)
  })

  browserTest('a project opens its memories, and a memory names its project', async () => {
    const page = await open(await withNotes(), '/memories/projects')
    await row(page, 'acme/shop').getByText('2 memories').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'acme/shop' }).click()
    await page.getByText('Releases are cut on Fridays.').waitFor()
    expect(await page.getByText('The blog is released daily.').count()).toBe(0)
    await page.getByText('The shop runs on Hetzner.').click()
    await page.getByRole('link', { name: 'acme/shop' }).waitFor()
  })

  browserTest('a project is deleted, brought back, and merged into another one', async () => {
    const user = await withNotes()
    const page = await open(user, '/memories/projects')
    await page.getByRole('button', { name: 'Delete acme/shop' }).click()
    await page.getByText('Deleted 2 memories of the project').waitFor()
    await row(page, 'acme/shop').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'acme/shop').waitFor()
    await page.getByRole('button', { name: 'Merge acme/shop into another project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Merge acme/shop' })
    await dialog.getByLabel('Name of the other project').fill('acme/shop')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByText('A project cannot be merged into itself').waitFor()
    await dialog.getByLabel('Name of the other project').fill('ada/blog')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await row(page, 'ada/blog').getByText('Also known as acme/shop').waitFor()
    const { projects } = await user.client.call(listProjects)
    expect(projects).toMatchObject([{ project: 'ada/blog', memories: 3, aliases: ['acme/shop'] }])
  })
})
