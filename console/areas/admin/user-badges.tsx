import type { AdminUser } from '../../../shared/contract/admin.ts'
import { admin } from '../../texts/admin.ts'

const texts = admin.users

/** The states of a user that are not the usual ones. */
export const UserBadges = ({ user }: { user: AdminUser }) => (
  <span className="row">
    {user.is_admin && <span className="badge accent">{texts.isAdmin}</span>}
    {user.disabled_at && <span className="badge bad">{texts.disabled}</span>}
    {!user.email_verified && <span className="badge warn">{texts.unverified}</span>}
    {!user.is_admin && !user.disabled_at && user.email_verified && admin.none}
  </span>
)
