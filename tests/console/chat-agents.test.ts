import { describe, expect } from 'bun:test'
import { browserTest, heading } from '../browser/support.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

/** How a link of the list ends, and whether it ends beyond its row. */
const ENDS_OF_LINK = `(() => {
  const link = document.querySelector('.chat-agent-row a')
  const { right } = link.closest('li').getBoundingClientRect()
  return {
    overflow: getComputedStyle(link).textOverflow,
    isCut: link.getBoundingClientRect().right > right,
  }
})()`

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('agents', () => {
  browserTest('agents are created, talk, are edited and deleted by keyboard', async () => {
    const page = await open(await newUser(server.current), '/chat/agents')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create agent' }).first().press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('not a name')
    await page.keyboard.press('Enter')
    await page.getByText('Use letters, digits and').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('release-notes')
    await page.getByRole('textbox', { name: 'Purpose' }).fill(HOSTILE)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create agent' }).last().press('Enter')

    await heading(page, 'release-notes')
    await page.getByText('Hello, I am a new agent.').waitFor()
    await page.getByRole('textbox', { name: 'Message as this agent' }).fill('It is Friday.')
    await page.getByRole('button', { name: 'Send' }).press('Enter')
    await page.getByRole('list', { name: 'Timeline' }).getByText('It is Friday.').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
    await page.getByRole('textbox', { name: 'Boundaries' }).fill('No secrets\nNo jokes')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('No secrets').waitFor()
    await page.reload()
    await page.getByText(HOSTILE).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await page
      .getByRole('alertdialog', { name: /^Delete/ })
      .getByRole('button', { name: 'Delete' })
      .press('Enter')
    await page.getByRole('heading', { name: 'No agents' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'This agent does not exist' }).waitFor()
  })

  browserTest('a name of a hundred characters ends with an ellipsis at every width', async () => {
    const user = await newUser(server.current)
    const slug = `a${'-very-long-name'.repeat(6)}-agent`
    await request(server.current, 'POST', '/api/talk', {
      token: user.key,
      body: { message: 'Hello', agent_slug: slug },
    })
    const page = await open(user, '/chat/agents')
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 700 })
      const link = page.getByRole('link', { name: slug })
      await link.waitFor()
      expect(await page.evaluate(ENDS_OF_LINK)).toEqual({ overflow: 'ellipsis', isCut: false })
    }
  })

  browserTest('agents propose a definition that the user accepts', async () => {
    const user = await newUser(server.current)
    for (const proposed_mandate of ['Write notes', 'Announce releases'])
      await request(server.current, 'POST', '/api/talk', {
        token: user.key,
        body: { message: 'Hello', agent_slug: 'herald', proposed_mandate },
      })
    const page = await open(user, '/chat/agents')
    await page.getByText('Proposal').waitFor()
    await page.getByRole('link', { name: 'herald' }).press('Enter')
    await page.getByRole('button', { name: 'Accept' }).press('Enter')
    await page.getByText('The definition was changed').waitFor()
    await page.getByRole('button', { name: 'Accept' }).waitFor({ state: 'detached' })
    await page.getByText('Announce releases').waitFor()
  })
})

describe('a new chat', () => {
  browserTest('a new chat names what is missing: a verified address and a model', async () => {
    const page = await open(await newUser(server.current), '/chat')
    await page.getByText('Verify your email address to chat.', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Write the link to the outbox' }).press('Enter')
    await page.getByText('This server sends no mail.').waitFor()
    await page.getByRole('button', { name: 'How to connect a model' }).press('Enter')
    await page.getByRole('dialog').getByText('SVC_OLLAMA_URL').waitFor()
    await expectAccessible(page)
  })
})
