import { html, type MountPage } from '../../platform/http/page.ts'

/** What somebody sees who opens the server's own address. */
export const homePages = (mountPage: MountPage): void => {
  mountPage('GET', '/', () => ({
    title: 'Running',
    body: html`<h1>svc is running</h1>
<p>An account, a memory and a conversation for people and AI agents.</p>
<p>Sign in from a terminal: <code>npx bun cli/main.ts login</code></p>
<p><a href="/device">Connect a program</a> · <a href="/api/docs">API reference</a></p>`,
  }))
}
