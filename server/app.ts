import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import { contract } from '../shared/contract/index.ts'
import { errorText } from '../shared/errors.ts'
import { adminPages } from './account/admin/pages.ts'
import type { AdminService } from './account/admin/service.ts'
import { auditRoutes } from './account/audit/routes.ts'
import type { AuditService } from './account/audit/service.ts'
import { deletionRoutes } from './account/deletion/routes.ts'
import type { DeletionService } from './account/deletion/service.ts'
import { devicePages } from './account/device/pages.ts'
import { deviceRoutes } from './account/device/routes.ts'
import type { DeviceService } from './account/device/service.ts'
import { emailPages } from './account/email/pages.ts'
import { emailRoutes } from './account/email/routes.ts'
import type { EmailService } from './account/email/service.ts'
import { handoffRoutes } from './account/handoff/routes.ts'
import type { HandoffService } from './account/handoff/service.ts'
import { instructionRoutes } from './account/instructions/routes.ts'
import type { InstructionService } from './account/instructions/service.ts'
import { keyRoutes } from './account/keys/routes.ts'
import type { KeyService } from './account/keys/service.ts'
import { mfaRoutes } from './account/mfa/routes.ts'
import type { MfaService } from './account/mfa/service.ts'
import { oauthPages } from './account/oauth/pages.ts'
import { oauthRoutes } from './account/oauth/routes.ts'
import type { OAuthService } from './account/oauth/service.ts'
import { passwordPages } from './account/password/pages.ts'
import { passwordRoutes } from './account/password/routes.ts'
import type { PasswordService } from './account/password/service.ts'
import { preferenceRoutes } from './account/preferences/routes.ts'
import type { PreferenceService } from './account/preferences/service.ts'
import { profileRoutes } from './account/profile/routes.ts'
import type { ProfileService } from './account/profile/service.ts'
import type { SessionList } from './account/sessions/list.ts'
import { sessionRoutes } from './account/sessions/routes.ts'
import type { SessionService } from './account/sessions/service.ts'
import { agentRoutes } from './conversation/agents/routes.ts'
import type { AgentService } from './conversation/agents/service.ts'
import { categoryRoutes } from './conversation/categories/routes.ts'
import type { CategoryService } from './conversation/categories/service.ts'
import { chatRoutes } from './conversation/chat/routes.ts'
import type { ChatService } from './conversation/chat/service.ts'
import { fileRoutes } from './conversation/files/routes.ts'
import type { FileService } from './conversation/files/service.ts'
import { chatSessionRoutes } from './conversation/sessions/routes.ts'
import type { ChatSessionService } from './conversation/sessions/service.ts'
import { suggestRoutes } from './conversation/suggest/routes.ts'
import type { SuggestService } from './conversation/suggest/service.ts'
import { talkRoutes } from './conversation/talk/routes.ts'
import type { TalkService } from './conversation/talk/service.ts'
import { transcribeRoutes } from './conversation/transcribe/routes.ts'
import type { TranscriptionService } from './conversation/transcribe/service.ts'
import { urlRoutes } from './conversation/url/routes.ts'
import type { UrlService } from './conversation/url/service.ts'
import type { EngineControl } from './memory/engines/control.ts'
import { engineRoutes } from './memory/engines/routes.ts'
import type { Engines } from './memory/engines/service.ts'
import { factRoutes } from './memory/facts/routes.ts'
import type { FactService } from './memory/facts/service.ts'
import { graphRoutes } from './memory/graph/routes.ts'
import type { GraphService } from './memory/graph/service.ts'
import { introspectRoutes } from './memory/introspect/routes.ts'
import type { IntrospectService } from './memory/introspect/service.ts'
import { memoryRoutes } from './memory/memories/routes.ts'
import type { MemoryService } from './memory/memories/service.ts'
import { recallRoutes } from './memory/recall/routes.ts'
import type { RecallService } from './memory/recall/service.ts'
import { transferRoutes } from './memory/transfer/routes.ts'
import type { TransferService } from './memory/transfer/service.ts'
import type { Vectors } from './memory/vectors/service.ts'
import { serveDocs } from './platform/http/docs.ts'
import { ApiError } from './platform/http/error.ts'
import { describeApi } from './platform/http/openapi.ts'
import { mountingPages } from './platform/http/page.ts'
import { type HttpContext, mounting } from './platform/http/route.ts'
import { healthRoutes } from './system/health/routes.ts'
import type { HealthService } from './system/health/service.ts'
import { homePages } from './system/home/pages.ts'

export interface Services {
  sessions: SessionService
  sessionList: SessionList
  mfa: MfaService
  audit: AuditService
  deletion: DeletionService
  admin: AdminService
  passwords: PasswordService
  emails: EmailService
  keys: KeyService
  devices: DeviceService
  handoffs: HandoffService
  oauth: OAuthService
  profiles: ProfileService
  preferences: PreferenceService
  instructions: InstructionService
  engines: Engines
  engineControl: EngineControl
  graphs: GraphService
  introspect: IntrospectService
  /** Undefined where no embedding model is configured. */
  vectors: Vectors | undefined
  memories: MemoryService
  facts: FactService
  recalls: RecallService
  transfers: TransferService
  chats: ChatService
  talks: TalkService
  suggestions: SuggestService
  chatSessions: ChatSessionService
  categories: CategoryService
  agents: AgentService
  files: FileService
  transcriptions: TranscriptionService
  urls: UrlService
  health: HealthService
}

export interface AppSettings {
  baseUrl: string
  frontendOrigins: string[]
  http: HttpContext
}

/** Assembles the app: what every request passes, then each domain's endpoints and pages. */
export const createApp = (services: Services, { baseUrl, frontendOrigins, http }: AppSettings) => {
  const app = new Elysia({
    normalize: false,
    // Bodies are measured where they are read: what Bun refuses itself has no request id and no JSON.
    serve: { maxRequestBodySize: Number.MAX_SAFE_INTEGER, idleTimeout: 30 },
  })
  observe(app, http)
  app.use(
    cors({
      origin: ({ headers }) => frontendOrigins.includes(headers.get('origin') ?? ''),
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ['Authorization', 'Content-Type', 'X-API-Key', 'X-Org-ID'],
      exposeHeaders: ['X-Request-ID', 'Retry-After'],
      credentials: true,
      maxAge: 600,
    }),
  )
  serveDocs(app, describeApi(contract, baseUrl))

  const mount = mounting(app, http)
  sessionRoutes(mount, services.sessions, services.sessionList)
  mfaRoutes(mount, services.mfa, services.sessions)
  auditRoutes(mount, services.audit)
  deletionRoutes(mount, services.deletion)
  passwordRoutes(mount, services.passwords)
  emailRoutes(mount, services.emails)
  keyRoutes(mount, services.keys)
  deviceRoutes(mount, services.devices)
  handoffRoutes(mount, services.handoffs)
  oauthRoutes(mount, services.oauth)
  profileRoutes(mount, services.profiles)
  preferenceRoutes(mount, services.preferences)
  instructionRoutes(mount, services.instructions)
  memoryRoutes(mount, services.memories)
  factRoutes(mount, services.facts)
  recallRoutes(mount, services.recalls)
  graphRoutes(mount, services.graphs)
  introspectRoutes(mount, services.introspect)
  engineRoutes(mount, services.engineControl)
  transferRoutes(mount, services.transfers)
  chatRoutes(mount, services.chats)
  talkRoutes(mount, services.talks)
  suggestRoutes(mount, services.suggestions)
  categoryRoutes(mount, services.categories)
  chatSessionRoutes(mount, services.chatSessions)
  agentRoutes(mount, services.agents)
  fileRoutes(mount, services.files)
  transcribeRoutes(mount, services.transcriptions)
  urlRoutes(mount, services.urls)
  healthRoutes(mount, services.health)
  const mountPage = mountingPages(app, http)
  homePages(mountPage)
  passwordPages(mountPage, services.passwords, http.limits)
  emailPages(mountPage, services.emails)
  adminPages(mountPage, services.admin, services.sessions, http.limits)
  oauthPages(mountPage, services.oauth, services.sessions)
  devicePages(mountPage, services.devices, services.sessions, http.limits, services.oauth)
  return app
}

/** Gives every request its id, every error the contract's body, and every answer a line in the log. */
const observe = (app: Elysia, { log }: HttpContext): void => {
  const startedAt = new WeakMap<Request, number>()
  app
    .onRequest(({ request, set }) => {
      set.headers['x-request-id'] = crypto.randomUUID()
      startedAt.set(request, performance.now())
    })
    .onError(({ error, code, request, set }) => {
      set.headers['content-type'] = 'application/json'
      if (error instanceof ApiError) {
        set.status = error.status
        Object.assign(set.headers, error.headers)
        if (error.cause)
          log.warn({ request_id: set.headers['x-request-id'], cause: error.cause }, error.message)
        return JSON.stringify(error.body)
      }
      if (code === 'NOT_FOUND') {
        set.status = 404
        return JSON.stringify({ detail: errorText.notFound })
      }
      set.status = 500
      log.error({ request_id: set.headers['x-request-id'], error }, 'request failed')
      return JSON.stringify({ detail: errorText.internal, path: new URL(request.url).pathname })
    })
    .onAfterResponse(({ request, set, route }) => {
      log.info(
        {
          request_id: set.headers['x-request-id'],
          method: request.method,
          route: route || 'unknown',
          status: set.status,
          ms: Math.round((performance.now() - (startedAt.get(request) ?? 0)) * 10) / 10,
        },
        'request',
      )
    })
}
