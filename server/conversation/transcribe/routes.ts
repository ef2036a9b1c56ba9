import { transcribe } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { TranscriptionService } from './service.ts'

export const transcribeRoutes = (mount: Mount, transcriptions: TranscriptionService): void => {
  mount(transcribe, async ({ caller, query, upload, signal, disableIdleTimeout }) => {
    const audio = await upload()
    disableIdleTimeout()
    return transcriptions.transcribe(caller, audio, query, signal)
  })
}
