import type { ReactNode } from 'react'
import { billing } from '../../texts/billing.ts'
import { days } from '../../texts/days.ts'
import { locale } from '../../texts/tools/region.ts'
import { AreaNavigation } from '../../ui/area-navigation.tsx'
import { Page } from '../../ui/page.tsx'

const TABS = [
  { to: '/usage', label: billing.usage.tab, isExact: true },
  { to: '/usage/days', label: days.title },
  { to: '/usage/credits', label: billing.credits.tab },
  { to: '/usage/tiers', label: billing.tiers.tab },
] as const

interface BillingPageProps {
  title: string
  intro?: string | undefined
  children: ReactNode
}

/** A screen of the area, with links to the others. */
export const BillingPage = ({ title, intro, children }: BillingPageProps) => (
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
