// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are sources with templates

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

// It parses every file.
setDefaultTimeout(60_000)

/** A path from the root of the host. `//host` is another host. */
const FROM_ROOT = /^\/(?![/*])/
const IN_MARKUP =
  /\b(?:href|src|action|formaction|content)="\/(?!\/)|\burl\(["']?\/(?!\/)|\bPath=\//
/** Functions and constructors whose first argument is an address. */
const CALLS =
  /^(?:URL|Worker|EventSource|WebSocket|Request|fetch|(?:window\.)?open|(?:\w+\.)*location\.(?:assign|replace)|(?:\w+\.)*serviceWorker\.register|Response\.redirect|URL\.(?:parse|canParse)|history\.(?:push|replace)State)$/
const ADDRESSES = ['href', 'src', 'action', 'formAction', 'poster']

const isFromRoot = (node: ts.Node | undefined): boolean => {
  if (!node) return false
  if (ts.isJsxExpression(node)) return isFromRoot(node.expression)
  if (ts.isStringLiteralLike(node)) return FROM_ROOT.test(node.text)
  return ts.isTemplateExpression(node) && FROM_ROOT.test(node.head.text)
}

const templateOf = (node: ts.Node): ts.Node => {
  if (ts.isTemplateHead(node)) return node.parent
  return ts.isTemplateMiddle(node) || ts.isTemplateTail(node) ? node.parent.parent : node
}

/** `html` puts links below the path. */
const isInHtml = (node: ts.Node): boolean => {
  const { parent } = templateOf(node)
  return ts.isTaggedTemplateExpression(parent) && parent.tag.getText() === 'html'
}

/** The name of the use of a path from the root. */
const offenceOf = (node: ts.Node): string | undefined => {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const name = node.expression.getText()
    return CALLS.test(name) && isFromRoot(node.arguments?.[0]) ? name : undefined
  }
  // Components of the router add the path of the console.
  if (ts.isJsxAttribute(node) && ADDRESSES.includes(node.name.getText()))
    return isFromRoot(node.initializer) ? node.name.getText() : undefined
  if (ts.isPropertyAssignment(node) && /^['"]?location['"]?$/i.test(node.name.getText()))
    return isFromRoot(node.initializer) ? 'location' : undefined
  if (ts.isPropertyAccessExpression(node) && /(?:^|\.)location\.origin$/.test(node.getText()))
    return 'location.origin'
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  if (isText && !isInHtml(node)) return IN_MARKUP.exec(node.text)?.[0]
  return undefined
}

const offencesIn = (path: string, text: string): string[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const offences: string[] = []
  const visit = (node: ts.Node): void => {
    const offence = offenceOf(node)
    if (offence) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      offences.push(`${path}:${line + 1}: ${offence}`)
    }
    node.forEachChild(visit)
  }
  visit(source)
  return offences
}

/** The base of the console reads it once. */
const ALLOWED = /^console\/base\.ts:\d+: location\.origin$/

test('no address is written from the root of the host, which a path of the base URL would miss', async () => {
  const files = ['server', 'console', 'cli', 'mcp', 'shared', 'clients/npm'].flatMap((root) => [
    ...new Glob(`${root}/**/*.{ts,tsx,js}`).scanSync(ROOT),
  ])
  expect(files.length).toBeGreaterThan(1000)
  const offences: string[] = []
  for (const path of files)
    offences.push(...offencesIn(path, await Bun.file(join(ROOT, path)).text()))
  expect(offences.filter((each) => !ALLOWED.test(each))).toEqual([])
})

test.each([
  ['a.ts', "new URL('/api/me', baseUrl)"],
  ['a.ts', 'new URL(`/api/${id}`, baseUrl)'],
  ['a.ts', "fetch('/api/me')"],
  ['a.ts', "location.assign('/app')"],
  ['a.ts', "window.location.replace('/signin')"],
  ['a.ts', "navigator.serviceWorker.register('/app/worker.js')"],
  ['a.ts', "new Worker('/worker.js')"],
  ['a.ts', "headers.set('set-cookie', `a=b; Path=/; HttpOnly`)"],
  ['a.ts', 'rawHtml(\'<a href="/app">svc</a>\')'],
  ['a.ts', 'rawHtml(`<a class="${name}" href="/app">svc</a>`)'],
  ['a.ts', "const style = '@font-face{src:url(/a.woff2)}'"],
  ['a.ts', "respond({ headers: { location: '/app' } })"],
  ['a.tsx', 'const a = <a href="/api/docs">API</a>'],
  ['a.tsx', 'const a = <img src={`/api/avatars/${id}`} alt="" />'],
  ['a.tsx', 'const a = location.origin'],
])('%s: %s is found', (path, text) => {
  expect(offencesIn(path, text)).toHaveLength(1)
})

test.each([
  ['a.ts', 'html`<a href="/app">${label}</a><a href="/b">b</a>`'],
  ['a.ts', 'const url = `${baseUrl}/app`'],
  ['a.ts', "urlBelow(baseUrl, '/api/me')"],
  ['a.tsx', 'const a = <a href={`${BASE_PATH}/api/docs`}>API</a>'],
  ['a.tsx', 'const a = <Link to="/memories">Memories</Link>'],
])('%s: %s is accepted', (path, text) => {
  expect(offencesIn(path, text)).toEqual([])
})
