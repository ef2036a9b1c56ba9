import { Outlet } from '@tanstack/react-router'
import { people } from '../../texts/people.ts'
import { AreaNavigation } from '../../ui/area-navigation.tsx'

const LINKS = [
  { to: '/people/organizations', label: people.organizations },
  { to: '/people/messages', label: people.messages },
  { to: '/people/shares', label: people.shares },
  { to: '/people/email', label: people.email },
]

export const PeopleLayout = () => (
  <AreaNavigation label={people.title} links={LINKS}>
    <Outlet />
  </AreaNavigation>
)
