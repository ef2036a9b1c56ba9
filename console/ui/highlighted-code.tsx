import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { common, createLowlight } from 'lowlight'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

const lowlight = createLowlight(common)

interface HighlightedCodeProps {
  source: string
  /** As Markdown names it. */
  language: string
}

/** Code with the classes of highlight.js; in a language that it does not know, as it is. */
const HighlightedCode = ({ source, language }: HighlightedCodeProps) =>
  lowlight.registered(language)
    ? toJsxRuntime(lowlight.highlight(language, source), { Fragment, jsx, jsxs })
    : source

/** The default export is for `lazy`. */
export default HighlightedCode
