import type { ReactNode } from 'react'
import { features } from '../../features.ts'
import { billing } from '../../texts/billing.ts'
import { days } from '../../texts/days.ts'
import { locale } from '../../texts/tools/region.ts'
import { AreaNavigation, areaLinks } from '../../ui/area-navigation.tsx'
import { Page } from '../../ui/page.tsx'

const TABS = [
  { to: '/usage', label: billing.usage.tab, isExact: true },
  { to: '/usage/days', label: days.title },
  ...features.flatMap(({ usageScreens = {} }) => areaLinks('/usage', usageScreens)),
]

interface AreaPageProps {
  title: string
  intro?: string | undefined
  children: ReactNode
}

/** A screen of the area, with links to the others. */
export const AreaPage = ({ title, intro, children }: AreaPageProps) => (
  <AreaNavigation label={billing.sections} links={TABS}>
    <Page title={title} intro={intro}>
      {children}
    </Page>
  </AreaNavigation>
)

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat(locale, {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Months begin in UTC. */
export const formatDay = (iso: string): string => DAY.format(new Date(iso))
export const formatMonth = (iso: string): string => MONTH.format(new Date(iso))
