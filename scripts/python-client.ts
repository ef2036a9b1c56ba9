/**
 * Writes the module of the Python client, and that for asyncio, from the rows of the contract: `npm run python`.
 * The parts that no row describes are in `scripts/python-client/template`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
// Declares the errors of all domains, whose texts the client knows.
import '../server/start.ts'
import packageJson from '../package.json' with { type: 'json' }
import { contract, type Endpoint } from '../shared/contract/index.ts'
import { asyncMethodLines } from './python-client/asyncio.ts'
import { methodLines, methodsOf } from './python-client/methods.ts'
import { pascal, snake } from './python-client/print.ts'
import { textLines } from './python-client/reasons.ts'
import { createTypes, propertiesOf } from './python-client/types.ts'

const TEMPLATE = join(import.meta.dir, 'python-client/template')

/** The attribute of the client that has the calls of a tag, where it is not the tag itself. */
const ATTRIBUTES: Record<string, string> = {
  Memory: 'memories',
  Capture: 'captures',
  Conversation: 'conversations',
}

const attributeOf = (tag: string): string => ATTRIBUTES[tag] ?? snake(tag)

/**
 * Whether a client calls an endpoint: payment providers and identity providers call the others, and pages
 * in a browser call those that need its cookie.
 */
const isCallable = ({ signedBy, credential, success: [status] }: Endpoint): boolean =>
  !signedBy && credential !== 'browser' && status < 300

/** The parts of the template, in the order in which a reader needs them. */
const PARTS = [
  'head',
  'errors',
  'client',
  'calls',
  'conversation',
  'adapters',
  'streams',
  'paging',
  'sign-in',
  'requests',
  'replies',
  'transport',
] as const

const read = (name: string): string => readFileSync(join(TEMPLATE, `${name}.py`), 'utf8').trimEnd()

/** The classes and functions of the template. */
const namesOf = (text: string): string[] =>
  [...text.matchAll(/^(?:class|def) (\w+)/gm)].map(([, name = '']) => name)

const BASE = [
  '',
  '',
  'class _Calls:',
  '    def __init__(self, svc: Svc) -> None:',
  '        self._svc = svc',
]

const classOf = (tag: string): string => `${pascal(attributeOf(tag))}Calls`

/** The sources of the module by name: the parts of the template, the calls of each tag, and their types. */
export const pythonClient = (): Record<string, string> => {
  const rows = contract.filter(isCallable)
  const tags = [...new Set(rows.map(({ tag }) => tag))]
  const groupsOf = (prefix: string) =>
    tags
      .map((tag) => `        self.${attributeOf(tag)} = ${prefix}${classOf(tag)}(self)`)
      .join('\n')
  const template = PARTS.map(read)
    .join('\n')
    .replace('{{version}}', packageJson.version)
    .replace('{{texts}}', () => textLines(rows).join('\n'))
    .replace('{{groups}}', () => groupsOf(''))
  const types = createTypes(
    new Set([...namesOf(template), ...tags.map(classOf)]),
    propertiesOf(rows.map(({ success, streamed }) => [success, streamed])),
  )
  const groups = tags.map((tag) => {
    const methods = rows.filter((row) => row.tag === tag).flatMap((row) => methodsOf(row, types))
    const name = classOf(tag)
    return {
      calls: ['', '', `class ${name}(_Calls):`, ...methods.flatMap(methodLines).slice(1)],
      asyncCalls: [
        ...['', '', `class Async${name}(_AsyncCalls):`, `    _sync = ${name}`],
        ...methods.flatMap((method) => asyncMethodLines(method, name)),
      ],
    }
  })
  const calls = groups.flatMap((group) => group.calls)
  const asyncCalls = groups.flatMap((group) => group.asyncCalls)
  const aio = read('aio').replace('{{groups}}', () => groupsOf('Async'))
  return {
    '__init__.py': [template, ...BASE, ...calls, ...types.definitions(), ''].join('\n'),
    'aio.py': [aio, ...asyncCalls, ''].join('\n'),
  }
}

/** @param source the folder that Python imports the module from. */
export const writePythonClient = async (source: string): Promise<void> => {
  for (const [name, text] of Object.entries(pythonClient()))
    await Bun.write(join(source, 'svc_client', name), text)
}

if (import.meta.main) await writePythonClient(join(import.meta.dir, '../clients/python/src'))
