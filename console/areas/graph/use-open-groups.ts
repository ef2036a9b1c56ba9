import { useCallback, useMemo, useState } from 'react'
import { groupName, groupNamed } from './group-names.ts'
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
  const [focused, setFocused] = useState(chosen?.at(-1))
  const selected = memory === undefined ? undefined : model.byId.get(memory)?.index
  const open = useMemo(() => {
    if (!plan) return new Set<number>()
    const names: readonly string[] = chosen ?? []
    const opened = names.flatMap((name) => groupNamed(model, plan, name) ?? [])
    const around = selected === undefined ? [] : pathOf(plan, plan.groupOf[selected] ?? 0)
    return new Set([...opened, ...around])
  }, [model, plan, chosen, selected])
  const focus = useMemo(
    (): Focus => ({
      group: plan && focused !== undefined ? groupNamed(model, plan, focused) : undefined,
    }),
    [model, plan, focused],
  )
  const toggle = useCallback(
    (group: number) => {
      if (!plan) return
      const name = (each: number) => groupName(model, plan, each)
      if (!open.has(group)) {
        const next = new Set([...(chosen ?? []), ...pathOf(plan, group).map(name)])
        change({ open: [...next] })
        setFocused(name(group))
        return
      }
      const isInside = (each: number) => pathOf(plan, each).includes(group)
      const rest = [...open].filter((each) => !isInside(each))
      const isSelectedInside = selected !== undefined && isInside(plan.groupOf[selected] ?? 0)
      change({
        open: rest.length ? rest.map(name) : undefined,
        ...(isSelectedInside && { memory: undefined }),
      })
      const parent = plan.groups[group]?.parent
      setFocused(parent === undefined ? undefined : name(parent))
    },
    [model, plan, open, chosen, selected, change],
  )
  /** Selects a memory, or none. The clusters around it stay open when it is left. */
  const select = useCallback(
    (id: string | undefined) => {
      const index = id === undefined ? undefined : model.byId.get(id)?.index
      const group = index === undefined ? undefined : plan?.groupOf[index]
      const around = plan && group !== undefined ? pathOf(plan, group) : []
      const names = plan ? around.map((each) => groupName(model, plan, each)) : []
      const next = new Set([...(chosen ?? []), ...names])
      change({ memory: id, open: next.size ? [...next] : undefined })
    },
    [model, plan, chosen, change],
  )
  return { open, focus, toggle, select, selected }
}
