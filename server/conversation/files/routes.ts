import {
  deleteFile,
  getFile,
  getFileContent,
  listFiles,
  uploadFile,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { FileService } from './service.ts'

export const fileRoutes = (mount: Mount, files: FileService): void => {
  mount(uploadFile, async ({ caller, upload, signal }) =>
    files.store(caller, await upload(), signal),
  )
  mount(listFiles, ({ caller, query }) => files.list(caller, query))
  mount(getFile, ({ caller, params }) => files.get(caller, params.file_id))
  mount(getFileContent, async ({ caller, params }) => {
    const { name, type, bytes } = await files.content(caller, params.file_id)
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: asDownload(name, type) })
  })
  mount(deleteFile, async ({ caller, params }) => {
    await files.delete(caller, params.file_id)
    return undefined
  })
}

/** Browsers download the file and never run it in our origin. The name is encoded by RFC 8187. */
const asDownload = (name: string, type: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
})

const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
