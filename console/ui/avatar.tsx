import { BASE_PATH, BASE_URL } from '../base.ts'

interface AvatarProps {
  url: string | null
  name: string
  /** Whether the user is online. Default: not shown. */
  isOnline?: boolean
}

/** Pictures of other origins are blocked by the content security policy. */
const isOwnOrigin = (url: string): boolean =>
  URL.parse(url, BASE_URL)?.origin === new URL(BASE_URL).origin

/** The picture of a user, or the first letter of the name. Decorative: the name is beside it. */
export const Avatar = ({ url, name, isOnline }: AvatarProps) => (
  <span className="avatar-frame" aria-hidden="true">
    {url && isOwnOrigin(url) ? (
      <img
        className="avatar"
        src={url.startsWith('/') ? BASE_PATH + url : url}
        alt=""
        loading="lazy"
      />
    ) : (
      <span className="avatar initial">{[...name][0]?.toUpperCase()}</span>
    )}
    {isOnline && <span className="avatar-online" />}
  </span>
)
