import type { ReactNode } from 'react'

interface StepProps {
  title: string
  children?: ReactNode
}

/** One of the numbered steps of a list with the class `steps`. */
export const Step = ({ title, children }: StepProps) => (
  <li className="step">
    <h3>{title}</h3>
    {children}
  </li>
)
