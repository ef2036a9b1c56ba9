import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { useMemo } from 'react'
import { memory as texts } from '../../texts/memory.ts'

/** Texts that share little take quadratic time. They are then shown one after the other. */
const TIMEOUT_MS = 200

/** Languages without spaces have words, too. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const changesBetween = (before: string, after: string): ChangeObject<string>[] =>
  diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS, intlSegmenter: segmenter }) ?? [
    { value: before, removed: true, added: false, count: 1 },
    { value: after, removed: false, added: true, count: 1 },
  ]

/** The words that were removed and added between two versions of a text. */
const Diff = ({ before, after }: { before: string; after: string }) => {
  const changes = useMemo(() => changesBetween(before, after), [before, after])
  return (
    <div className="diff user-text" dir="auto">
      {changes.map(({ value, added, removed }, index) => {
        const key = `${index}`
        if (added)
          return (
            <ins key={key}>
              <span className="visually-hidden">{texts.added} </span>
              {value}
            </ins>
          )
        if (removed)
          return (
            <del key={key}>
              <span className="visually-hidden">{texts.removed} </span>
              {value}
            </del>
          )
        return <span key={key}>{value}</span>
      })}
    </div>
  )
}

/** The default export is for `lazy`: the comparison is loaded with the first change of a text. */
export default Diff
