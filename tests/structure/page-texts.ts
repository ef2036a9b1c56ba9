import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { Glob } from 'bun'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const parse = async (path: string): Promise<ts.SourceFile> =>
  ts.createSourceFile(path, await Bun.file(join(ROOT, path)).text(), ts.ScriptTarget.Latest, true)

const visit = (node: ts.Node, found: (node: ts.Node) => void): void => {
  found(node)
  node.forEachChild((child) => visit(child, found))
}

const serverSources = await Promise.all([...new Glob('server/**/*.ts').scanSync(ROOT)].map(parse))

/** The text of a template with its places: "Signed in as {0}." */
const textOf = (template: ts.TemplateLiteral): string =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : template.head.text +
      template.templateSpans.map(({ literal }, i) => `{${i}}${literal.text}`).join('')

const taggedTexts = (tag: string): { text: string; place: string }[] => {
  const texts: { text: string; place: string }[] = []
  for (const source of serverSources)
    visit(source, (node) => {
      if (!ts.isTaggedTemplateExpression(node) || node.tag.getText() !== tag) return
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      texts.push({ text: textOf(node.template), place: `${source.fileName}:${line + 1}` })
    })
  return texts
}

/** Every t`…` of the server. */
export const pageTexts = taggedTexts('t')

/** The texts between tags and values in every html`…` of the server, without code and attributes. */
export const markupTexts = taggedTexts('html').map(({ text, place }) => ({
  place,
  text: text
    .replace(/<code>[^<]*<\/code>|<[^>]*>|\{\d+\}/g, ' ')
    .replace(/^ (?:autofocus|maxlength="[^"]*")$/, ''),
}))

/** The string literals of the server and of shared code, without the texts of translations. */
export const literals = async (): Promise<ReadonlySet<string>> => {
  const shared = [...new Glob('shared/**/*.ts').scanSync(ROOT)].filter(
    (path) => !/error-texts/.test(path),
  )
  const all = new Set<string>()
  for (const source of [...serverSources, ...(await Promise.all(shared.map(parse)))])
    visit(source, (node) => {
      if (ts.isStringLiteral(node)) all.add(node.text)
      if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node))
        all.add(textOf(node))
    })
  return all
}
