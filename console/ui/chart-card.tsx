import { type ReactNode, Suspense } from 'react'
import { Skeleton } from './loaded.tsx'

interface ChartCardProps {
  title: string
  /** The main number. */
  note?: string
  children: ReactNode
}

/** The place of a chart, which is loaded when it is shown. */
export const ChartCard = ({ title, note, children }: ChartCardProps) => (
  <figure className="card chart">
    <figcaption className="row spread">
      <strong>{title}</strong>
      {note && <span className="quiet small">{note}</span>}
    </figcaption>
    <Suspense fallback={<Skeleton lines={4} />}>{children}</Suspense>
  </figure>
)
