import { ApiFailure } from '../../../shared/client.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { listConflicts, resolveConflict } from '../../../shared/contract/identity.ts'
import { useAction } from '../../session/query.ts'
import { queryClient } from '../../session/query-client.ts'
import { identity } from '../../texts/automation.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { attributeName } from './attribute.ts'

/** Another tab or device may have decided, so the list is requested again. */
export const showCurrent = (error: Error, list: Pick<Endpoint, 'name'>, gone?: string): void => {
  if (gone && error instanceof ApiFailure && error.status === 404) notify(gone)
  else notifyError(error)
  void queryClient.invalidateQueries({ queryKey: [list.name] })
}

/** Settles a contradiction: memories with the other values are superseded. */
export const useResolution = (anchorKey: string) => {
  const isFieldError = (error: Error) => error instanceof ApiFailure && error.status === 422
  const action = useAction(resolveConflict, {
    onSuccess: (_, { body }) =>
      notify(identity.resolved(attributeName(anchorKey), String(body.chosen_value))),
    onError: (error) => {
      if (!isFieldError(error)) showCurrent(error, listConflicts, identity.gone)
    },
  })
  return {
    choose: (value: string) =>
      action.mutate({ body: { anchor_key: anchorKey, chosen_value: value } }),
    /** The value that is being chosen. */
    pending: action.isPending ? action.variables.body.chosen_value : undefined,
    isPending: action.isPending,
    fieldError: action.error && isFieldError(action.error) ? action.error : null,
  }
}
