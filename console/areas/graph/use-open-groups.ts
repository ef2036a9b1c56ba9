import { useCallback, useMemo, useState } from 'react'
import type { GraphModel } from './model.ts'
import type { GraphPlan } from './plan.ts'
import { pathOf } from './scene.ts'
import { useGraphSearch } from './use-graph-search.ts'

/** The cluster that the drawing shows; without one, it shows everything. */
export interface Focus {
  group: number | undefined
}

/** Which clusters are open: those that were opened, and those around the selected memory. */
export const useOpenGroups = (model: GraphModel, plan: GraphPlan | undefined) => {
  const { search, change } = useGraphSearch()
  const { open: chosen, memory } = search
  const [focus, setFocus] = useState<Focus>({ group: chosen?.at(-1) })
  const selected = memory === undefined ? undefined : model.byId.get(memory)?.index
  const open = useMemo(() => {
    const group = selected === undefined ? undefined : plan?.groupOf[selected]
    const around = plan && group !== undefined ? pathOf(plan, group) : []
    return new Set([...(chosen ?? []), ...around])
  }, [plan, chosen, selected])
  const toggle = useCallback(
    (group: number) => {
      if (!plan) return
      if (!open.has(group)) {
        const next = new Set([...(chosen ?? []), ...pathOf(plan, group)])
        change({ open: [...next] })
        setFocus({ group })
        return
      }
      const isInside = (each: number) => pathOf(plan, each).includes(group)
      const rest = [...open].filter((each) => !isInside(each))
      const isSelectedInside = selected !== undefined && isInside(plan.groupOf[selected] ?? 0)
      change({
        open: rest.length ? rest : undefined,
        ...(isSelectedInside && { memory: undefined }),
      })
      setFocus({ group: plan.groups[group]?.parent })
    },
    [plan, open, chosen, selected, change],
  )
  /** Selects a memory, or none. The clusters around it stay open when it is left. */
  const select = useCallback(
    (id: string | undefined) => {
      const index = id === undefined ? undefined : model.byId.get(id)?.index
      const group = index === undefined ? undefined : plan?.groupOf[index]
      const around = plan && group !== undefined ? pathOf(plan, group) : []
      const next = new Set([...(chosen ?? []), ...around])
      change({ memory: id, open: next.size ? [...next] : undefined })
    },
    [model, plan, chosen, change],
  )
  return { open, focus, toggle, select, selected }
}
