import { talk, talkStream } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { TalkService } from './service.ts'

export const talkRoutes = (mount: Mount, talks: TalkService): void => {
  mount(talk, ({ caller, body, signal, disableIdleTimeout }) => {
    disableIdleTimeout()
    return talks.send(caller, body, signal)
  })
  mount(talkStream, ({ caller, body, query, signal }) =>
    talks.stream(caller, body, { signal, memoriesFirst: query.progress }),
  )
}
