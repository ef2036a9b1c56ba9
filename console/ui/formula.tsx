import katex, { type KatexOptions } from 'katex'
import { useLayoutEffect, useRef, useState } from 'react'

/** MathML, which browsers draw and read aloud themselves: no fonts and no styles of KaTeX. */
const OPTIONS: KatexOptions = {
  output: 'mathml',
  strict: 'ignore',
  errorColor: 'currentcolor',
  maxExpand: 100,
  maxSize: 20,
}

interface FormulaProps {
  /** In TeX. */
  source: string
  /** In lines of its own. */
  isBlock?: boolean
}

/** A formula, or its source if it is none. */
const Formula = ({ source, isBlock = false }: FormulaProps) => {
  const place = useRef<HTMLSpanElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  useLayoutEffect(() => {
    if (!place.current) return
    try {
      katex.render(source, place.current, { ...OPTIONS, displayMode: isBlock })
      setInvalid(false)
    } catch {
      setInvalid(true)
    }
  }, [source, isBlock])
  return (
    <>
      {isInvalid && <code>{source}</code>}
      <span
        ref={place}
        className={isBlock ? 'formula-block' : undefined}
        // A region that scrolls must be reachable by keyboard, as in CodeBlock.
        tabIndex={isBlock ? 0 : undefined}
        hidden={isInvalid}
      />
    </>
  )
}

/** The default export is for `lazy`. */
export default Formula
