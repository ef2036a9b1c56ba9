import type { Explanation } from '../../../shared/contract/recall.ts'
import { memories } from '../../texts/memories.ts'
import { locale } from '../../texts/tools/region.ts'

const texts = memories.score

const PARTS = ['words', 'semantic', 'time', 'fact'] as const
const FACTORS = ['author', 'dialogue', 'date', 'change', 'prior', 'feedback'] as const
type Part = (typeof PARTS)[number]

/** So many digits that the figures as shown add up and multiply to the score as shown. */
const NUMBER = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 })
const format = (number: number): string => NUMBER.format(number)
const PERCENT = 100
/** Smaller differences are not shown. */
const ROUNDING = 0.0005

/** The addends of the score: that of the words is scaled by their coverage. */
const partsOf = (explanation: Explanation): { name: Part; value: number }[] =>
  PARTS.map((name) => ({
    name,
    value: name === 'words' ? explanation.words * explanation.coverage : explanation[name],
  })).filter(({ value }) => value >= ROUNDING)

const noteOf = (name: Part, { coverage }: Explanation): string =>
  name === 'words' ? texts.notes.words(Math.round(coverage * PERCENT)) : texts.notes[name]

const factorsOf = (explanation: Explanation): string[] =>
  FACTORS.filter((name) => Math.abs(explanation[name] - 1) >= ROUNDING).map((name) =>
    texts.factors[name](format(explanation[name])),
  )

interface ScoreProps {
  /** As a share of the best score of the results, which fills the width. */
  score: number
  explanation: Explanation
}

/** The score as a bar of its parts, and behind a disclosure in words. */
export const Score = ({ score, explanation }: ScoreProps) => {
  const parts = partsOf(explanation)
  const sum = parts.reduce((total, { value }) => total + value, 0)
  const width = (value: number) => `${(value / (sum || 1)) * PERCENT}%`
  const summary = parts.map(({ name, value }) => `${texts.parts[name]} ${format(value)}`).join(', ')
  return (
    <div className="score">
      <div className="score-line">
        <div className="score-track" role="img" aria-label={texts.bar(format(score), summary)}>
          <div className="score-bar" style={{ width: `${Math.max(2, score * PERCENT)}%` }}>
            {parts.map(({ name, value }) => (
              <span key={name} className={`score-part ${name}`} style={{ width: width(value) }} />
            ))}
          </div>
        </div>
        <span className="numeric small quiet" aria-hidden="true">
          {format(score)}
        </span>
      </div>
      <details className="score-details">
        <summary>{texts.title}</summary>
        <ScoreTable parts={parts} explanation={explanation} />
        <p className="small quiet">{texts.sum(format(sum), format(score))}</p>
      </details>
    </div>
  )
}

interface ScoreTableProps {
  parts: { name: Part; value: number }[]
  explanation: Explanation
}

const ScoreTable = ({ parts, explanation }: ScoreTableProps) => {
  const factors = factorsOf(explanation)
  return (
    <>
      <ul className="plain score-parts">
        {parts.map(({ name, value }) => (
          <li key={name}>
            <span className={`score-key ${name}`} aria-hidden="true" />
            <span>
              {texts.parts[name]} <span className="numeric">{format(value)}</span>
              <span className="quiet">: {noteOf(name, explanation)}</span>
            </span>
          </li>
        ))}
      </ul>
      <ul className="plain small">
        {factors.length ? (
          factors.map((text) => <li key={text}>{text}</li>)
        ) : (
          <li>{texts.noFactors}</li>
        )}
      </ul>
    </>
  )
}
