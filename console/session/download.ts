import { ApiFailure, Unreachable } from '../../shared/client.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { urlBelow } from '../../shared/urls.ts'
import { BASE_URL } from '../base.ts'
import { common } from '../texts/common.ts'
import { saveFile } from '../ui/save-file.ts'
import { fetchWithSession } from './client.ts'

/** A response of the API as a file. @throws ApiFailure, or Unreachable without a response. */
export const fetchFile = async (path: string, signal?: AbortSignal): Promise<Blob> => {
  const init = { method: 'GET', ...(signal && { signal }) }
  const response = await fetchWithSession(urlBelow(BASE_URL, path), init).catch(
    (cause: unknown) => {
      throw new Unreachable(common.unreachable, { cause })
    },
  )
  if (!response.ok) {
    const { detail } = fieldsOf(await response.json().catch(() => undefined))
    throw new ApiFailure(response.status, detail, response.headers.get('x-request-id'))
  }
  return response.blob()
}

/** Saves a response of the API as a file. A link cannot: it would send no access token. */
export const downloadFile = async (path: string, name: string): Promise<void> =>
  saveFile(name, await fetchFile(path))
