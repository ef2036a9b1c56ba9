export const RANGES = [7, 30, 90] as const
export const DEFAULT_DAYS = 30

/** The shown days in the address, and whether they are a table. */
export interface DaysSearch {
  days?: (typeof RANGES)[number]
  view?: 'table'
}

export const readDaysSearch = (search: Record<string, unknown>): DaysSearch => {
  const days = RANGES.find((each) => each === Number(search.days))
  return { ...(days && { days }), ...(search.view === 'table' && { view: 'table' }) }
}
