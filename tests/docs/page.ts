import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Pages that a newcomer runs in the folder of the clone, in this order (`walk.test.ts`). */
export const WALKED_PAGES = ['README.md', 'docs/tutorial/first-memory.md']

/**
 * Guides that a newcomer then runs on the same server, from another folder. The other guides start servers of
 * their own, or need programs that only their tests have.
 */
export const WALKED_GUIDES = [
  ...['identity', 'memory', 'import', 'reminders', 'automation', 'conversation', 'shares'],
  'organizations',
].map((name) => `docs/how-to/${name}.md`)

/** The shell commands of a document. */
export interface Page {
  path: string
  text: string
  /** The blocks in the language `sh`, and hidden ones: `<!-- run`, commands, `-->`. */
  commands: string[]
  /** The reasons of `<!-- not run: … -->` above blocks. */
  notRun: string[]
}

const BLOCK =
  /^(?:<!-- not run: (?<reason>.+) -->\n)?```sh\n(?<shown>[\s\S]*?)^```$|^<!-- run\n(?<hidden>[\s\S]*?)^-->$/gm

export const readPage = (path: string, text: string): Page => {
  const blocks = [...text.matchAll(BLOCK)].map(({ groups = {} }) => groups)
  return {
    path,
    text,
    commands: blocks.flatMap(({ reason, shown, hidden }) =>
      reason ? [] : [shown ?? hidden ?? ''],
    ),
    notRun: blocks.flatMap(({ reason }) => reason ?? []),
  }
}

/** The README and every document. */
export const readPages = (): Promise<Page[]> =>
  Promise.all(
    ['README.md', ...new Glob('docs/**/*.md').scanSync(ROOT)]
      .toSorted()
      .map(async (path) => readPage(path, await Bun.file(`${ROOT}${path}`).text())),
  )
