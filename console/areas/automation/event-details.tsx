import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import { automation } from '../../texts/automation.ts'
import { CopyBlock } from '../../ui/copy.tsx'

/** The event of a firing as JSON, which also shows the paths that conditions and templates can use. */
export const EventDetails = ({ event }: { event: TriggerEvent }) => (
  <details className="event">
    <summary>{automation.event}</summary>
    <CopyBlock text={JSON.stringify(event, null, 2)} label={automation.copyEvent} />
  </details>
)
