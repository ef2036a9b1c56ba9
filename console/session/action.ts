import { replaceEqualDeep, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** The interval of a double click in most systems. */
const DOUBLE_CLICK_MS = 500

interface Started<A> {
  args: A
  at: number
  isPending: boolean
}

type MutationOptions<A, R> = Omit<UseMutationOptions<R, Error, A>, 'mutationFn'> & {
  mutationFn: (args: A) => Promise<R>
}

/**
 * A mutation that ignores its repetition while it is pending, and that of a double click on a button or the Enter key.
 * Buttons are drawn as pending too late for that. After a failure it can be repeated at once.
 */
export const useMutationOnce = <A = void, R = unknown>({
  mutationFn,
  ...options
}: MutationOptions<A, R>) => {
  const last = useRef<Started<A>>(undefined)
  const action = useMutation<R, Error, A>({
    ...options,
    mutationFn: async (args) => {
      const started = last.current
      try {
        return await mutationFn(args)
      } catch (error) {
        if (last.current === started) last.current = undefined
        throw error
      } finally {
        if (started) started.isPending = false
      }
    },
  })
  const { mutate } = action
  const mutateOnce = useCallback(
    (args: A) => {
      const { current } = last
      const isSame = current && replaceEqualDeep(current.args, args) === current.args
      if (isSame && (current.isPending || performance.now() - current.at < DOUBLE_CLICK_MS)) return
      last.current = { args, at: performance.now(), isPending: true }
      mutate(args)
    },
    [mutate],
  )
  return { ...action, mutate: mutateOnce }
}
