import { Outlet } from '@tanstack/react-router'
import { features } from '../../features.ts'
import { people } from '../../texts/people.ts'
import { AreaNavigation, areaLinks } from '../../ui/area-navigation.tsx'

const LINKS = [
  { to: '/people/organizations', label: people.organizations },
  ...features.flatMap(({ peopleScreens = {} }) => areaLinks('/people', peopleScreens)),
  { to: '/people/email', label: people.email },
]

export const PeopleLayout = () => (
  <AreaNavigation label={people.title} links={LINKS}>
    <Outlet />
  </AreaNavigation>
)
