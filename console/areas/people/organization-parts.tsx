import type { Organization, OrgRole } from '../../../shared/contract/organizations.ts'
import { useMe } from '../../session/me.ts'
import { organizations as texts } from '../../texts/people.ts'

/** The id of the organization that this tab acts in. */
export const useCurrentOrg = (): string | undefined => useMe()?.org?.id

export const RoleBadge = ({ role }: { role: OrgRole }) => (
  <span className={role === 'owner' ? 'badge accent' : 'badge'}>{texts.roles[role]}</span>
)

const FULL = 1
const PERCENT = 100

/** The seats used of those that the tier includes. */
export const Seats = ({ seats: { used, limit } }: Pick<Organization, 'seats'>) => {
  const share = limit ? Math.min(used / limit, FULL) : 0
  const isFull = limit !== null && used >= limit
  return (
    <section className="card stack-small" aria-label={texts.seats}>
      <div className={isFull ? 'meter warn' : 'meter'}>
        <div className="row spread">
          <h2>{texts.seats}</h2>
          <span className="numeric">{texts.seatsUsed(used, limit)}</span>
        </div>
        {limit !== null && (
          <div className="meter-bar">
            <div className="meter-fill" style={{ width: `${share * PERCENT}%` }} />
          </div>
        )}
      </div>
      <p className="quiet small">{isFull ? texts.seatsFull : texts.seatsNote}</p>
    </section>
  )
}
