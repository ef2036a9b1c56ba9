/** One kind of foreign input: its limits, and the files that enforce them. */
interface Budget {
  /** Bytes. For compressed input, after decompression. */
  bytes?: number
  /** UTF-16 code units. */
  characters?: number
  /** Milliseconds. */
  ms?: number
  /** Milliseconds of processor time of the child process that reads it. */
  cpuMs?: number
  /** Resident memory of the child process that reads it, in bytes. */
  memory?: number
  /** Bytes that a computation fills, over all its passes. */
  memoryOfPasses?: number
  /** Parts: nested encodings, pixels, entries, redirects, tokens. The name of the row says which. */
  count?: number
  /** Bytes a second that a client must send. */
  bytesPerSecond?: number
  /** Levels of nesting. */
  depth?: number
  /** Names of JSON objects. */
  names?: number
  /** Values of JSON, with those in lists and objects. */
  values?: number
  /** Decompressed bytes for each compressed byte. */
  ratio?: number
  /** The file in this repository that enforces the limits, or the files. */
  enforcedBy: string | readonly string[]
}

const KIB = 1024
const MIB = 1024 * KIB
const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * Limits of foreign input: of everything that a client, a web page, a model, a file or another server sends.
 * Each is read by the file that enforces it, and `docs/reference/limits.md` lists them.
 */
export const budgets = {
  /** A body other than an upload or an import. */
  requestBody: { bytes: MIB, enforcedBy: 'server/platform/http/body.ts' },
  /** 1 MiB of names takes `JSON.parse` 200 ms, and this many take 20 ms. A valid body has far fewer. */
  requestJson: {
    names: 40_000,
    values: 200_000,
    depth: 64,
    enforcedBy: 'server/platform/http/json.ts',
  },
  /** A pause of the client. Below Bun's idle timeout (30 s), which sends no response. */
  requestPause: { ms: 25 * SECOND, enforcedBy: 'server/platform/http/body.ts' },
  /** The average speed of the client after `ms` of waiting for it. */
  requestSpeed: {
    ms: 30 * SECOND,
    bytesPerSecond: 4 * KIB,
    enforcedBy: 'server/platform/http/body.ts',
  },
  /** A filter of SCIM, or a path of its PATCH: its characters, and its parentheses within each other. */
  scimFilter: {
    characters: 2_000,
    depth: 20,
    enforcedBy: 'server/features/scim/filter.ts',
  },
  /** The operations of a SCIM PATCH. */
  scimPatch: { count: 1_000, enforcedBy: 'server/features/scim/patch.ts' },
  /** The form of a page. */
  pageForm: { bytes: 64 * KIB, enforcedBy: 'server/platform/http/page.ts' },
  /** The form of the token endpoint. */
  oauthForm: { bytes: 16 * KIB, enforcedBy: 'server/account/access/oauth-server/forms.ts' },
  /** The largest file of an upload; the contract has lower limits of endpoints. */
  upload: { bytes: 25 * MIB, count: 1, enforcedBy: 'server/platform/http/upload.ts' },
  /** The form of an upload: twice the largest file, so that a client whose file is too large gets to know it. */
  uploadForm: { bytes: 64 * MIB, enforcedBy: 'server/platform/http/upload.ts' },
  /** The parts of a form beside its file. */
  formFields: { bytes: 10_000, count: 10, enforcedBy: 'server/platform/http/upload.ts' },
  /** A request to a model, with images. One with more names or values passes without memories. */
  proxyBody: {
    bytes: 20 * MIB,
    names: 200_000,
    values: 1_000_000,
    depth: 200,
    enforcedBy: ['server/features/proxy/request.ts', 'server/features/proxy/routes.ts'],
  },
  /** An MCP message is parsed and validated three times. */
  mcpMessage: { names: 10_000, depth: 100, enforcedBy: 'server/mcp/endpoint.ts' },

  /** One statement of a request. Together with the wait before, less than the idle timeout of HTTP. */
  requestStatement: { ms: 15 * SECOND, enforcedBy: 'server/platform/db/postgres.ts' },
  /** The wait of a statement, or a transaction, for a connection. */
  requestConnectionWait: { ms: 10 * SECOND, enforcedBy: 'server/platform/db/postgres.ts' },
  /** One statement of a request with large writes, such as an import, and its wait for a connection. */
  bulkStatement: { ms: 2 * MINUTE, enforcedBy: 'server/platform/db/postgres.ts' },
  backgroundStatement: { ms: 10 * MINUTE, enforcedBy: 'server/platform/db/postgres.ts' },
  /** Requests that run at once in each process, while they run quickly. */
  runningRequests: { count: 64, enforcedBy: 'server/platform/http/admission.ts' },
  /** The wait of a request until it runs, and the requests of a kind that wait; ten times as long for large writes. */
  waitingRequests: {
    ms: 2 * SECOND,
    count: 1_000,
    enforcedBy: 'server/platform/http/admission.ts',
  },
  /** Connections for all requests; an account gets at most three. */
  requestConnections: { count: 6, enforcedBy: 'server/platform/db/postgres.ts' },

  /** A page or PDF that is read in a child process. A busy machine may need more time than the processor. */
  document: {
    cpuMs: 15 * SECOND,
    ms: MINUTE,
    memory: 512 * MIB,
    enforcedBy: 'server/platform/text/reader.ts',
  },
  /** The text of a document; the rest is cut. */
  documentText: { characters: 200_000, enforcedBy: 'server/platform/text/document.ts' },
  /** An upload whose text is not extracted by then is stored without it. */
  documentUpload: { ms: 30 * SECOND, enforcedBy: 'server/conversation/files/upload.ts' },
  /** Reading a PDF stops with the text so far. */
  pdf: { ms: 8 * SECOND, enforcedBy: 'server/platform/text/pdf.ts' },
  /** The elements of a page in which the article is searched; the text of others is read line by line. */
  htmlArticle: { depth: 300, count: 100_000, enforcedBy: 'server/platform/text/html.ts' },
  /** Reading a page stops at this depth. */
  htmlOutline: { depth: 10_000, enforcedBy: 'server/platform/text/outline.ts' },
  /** The files of a user. */
  storedFiles: {
    bytes: 1024 * MIB,
    count: 10_000,
    enforcedBy: 'server/conversation/files/upload.ts',
  },

  /** A record of an import, which a child process parses if it is large. A file has no limit. */
  importRecord: {
    bytes: 32 * MIB,
    cpuMs: MINUTE,
    ms: 4 * MINUTE,
    memory: 512 * MIB,
    depth: 64,
    enforcedBy: [
      'server/memory/transfer/import-reader.ts',
      'server/memory/transfer/formats/format.ts',
    ],
  },
  /** The memories of one statement. */
  importBatch: {
    count: 250,
    characters: 4 * MIB,
    enforcedBy: 'server/memory/transfer/service.ts',
  },
  /** A compressed import, beyond its first `bytes`. Repetitive JSON has a ratio of 30. */
  importGzip: {
    ratio: 50,
    bytes: 4 * MIB,
    enforcedBy: 'server/platform/records/records.ts',
  },
  /** The failures that the response to an import lists. */
  importFailures: { count: 1_000, enforcedBy: 'server/platform/records/failures.ts' },
  /** As JSON; so a page of memories has a few megabytes at most. */
  memoryMetadata: { characters: 65_536, enforcedBy: 'server/memory/memories/new-memory.ts' },
  /** The data of a signal and the metadata of a device, as JSON. */
  senseJson: { characters: 16_384, enforcedBy: 'server/features/automation/senses/service.ts' },
  /** The value of a condition, as JSON. Each event is compared with the conditions of all reflexes. */
  conditionValue: {
    characters: 4_000,
    enforcedBy: 'server/features/automation/conditions/conditions.ts',
  },
  /** The text that a reflex makes from its template. */
  reflexText: {
    characters: 20_000,
    enforcedBy: 'server/features/automation/conditions/template.ts',
  },

  /** A file of a backup, decompressed. svc writes files of up to 25 MiB. */
  backupFile: { bytes: 256 * MIB, enforcedBy: 'server/system/backup/archive-reader.ts' },
  /** Any other entry of a backup that is read as a whole. A manifest has some kilobytes. */
  backupText: { bytes: MIB, enforcedBy: 'server/system/backup/archive-reader.ts' },
  /** The work factor of scrypt in an encrypted backup, as binary logarithm: 256 MiB, about a second. */
  backupWorkFactor: { count: 18, enforcedBy: 'server/system/backup/encryption.ts' },

  /** The text and the reasoning of an answer. */
  modelAnswer: {
    characters: 500_000,
    ms: 10 * MINUTE,
    enforcedBy: ['server/platform/models/generation.ts', 'server/platform/models/timing.ts'],
  },
  /** Tokens of one completion, sent with each request; fewer where the window has no room. */
  modelTokens: { count: 16_384, enforcedBy: 'server/platform/models/models.ts' },
  /** The arguments of the tools that one completion calls. */
  modelToolInput: { characters: 32_000, enforcedBy: 'server/platform/models/generation.ts' },
  /** Tool calls of one answer. */
  modelToolCalls: { count: 32, enforcedBy: 'server/platform/models/prompt.ts' },
  /** The bytes and lines of one HTTP response of a model: a token takes 200 to 500 bytes and two lines. */
  modelResponse: {
    bytes: 16 * MIB,
    count: 200_000,
    enforcedBy: 'server/platform/models/provider.ts',
  },
  modelLine: { bytes: MIB, enforcedBy: 'server/platform/models/provider.ts' },
  modelError: { bytes: 64 * KIB, enforcedBy: 'server/platform/models/provider.ts' },
  /** A response with the vectors of 64 texts; 8,192 numbers each take 12 MB. */
  embeddings: {
    bytes: 16 * MIB,
    ms: MINUTE,
    enforcedBy: 'server/memory/engines/embedding/endpoint.ts',
  },
  /** Some texts by an encoder on this machine, with the start of its process and loading the model. */
  encoder: {
    cpuMs: MINUTE,
    ms: 2 * MINUTE,
    memory: 2 * 1024 * MIB,
    enforcedBy: 'server/memory/engines/embedding/encoder/encoder.ts',
  },
  /**
   * The response for an hour of speech has some megabytes with the time of each word, and takes a good
   * model on a slow machine about so long.
   */
  transcription: {
    bytes: 8 * MIB,
    ms: 5 * MINUTE,
    enforcedBy: [
      'server/conversation/transcribe/client.ts',
      'server/conversation/transcribe/service.ts',
    ],
  },

  /** A page, before and after decompression; the time is for all redirects together. */
  page: {
    bytes: 5 * MIB,
    ms: 10 * SECOND,
    enforcedBy: ['server/platform/fetch/fetcher.ts', 'server/conversation/conversation.ts'],
  },
  /** A look-up of text records over UDP or TCP, which limits a response to 64 KiB. */
  dns: { ms: 5 * SECOND, enforcedBy: 'server/platform/dns.ts' },
  pageRedirects: { count: 5, enforcedBy: 'server/platform/fetch/fetcher.ts' },
  /** Encodings of one page, each of which is decompressed. */
  pageEncodings: { count: 2, enforcedBy: 'server/platform/fetch/request.ts' },
  /** The size of a page in relation to its compressed size, from 1 MB on. */
  pageRatio: { ratio: 100, enforcedBy: 'server/platform/fetch/request.ts' },
  /** A picture that is decoded in a child process. */
  image: {
    cpuMs: 10 * SECOND,
    ms: 20 * SECOND,
    memory: 512 * MIB,
    enforcedBy: 'server/platform/images/images.ts',
  },
  /** Enough for photos of current phones. */
  imagePixels: { count: 50_000_000, enforcedBy: 'server/platform/images/image-process.ts' },
  /** Pictures that are decoded at the same time, each of another account. As many headers are read. */
  images: { count: 2, enforcedBy: 'server/platform/images/images.ts' },
  /** The pictures of an account that wait while another one of it is decoded. */
  imagesWaiting: { count: 50, enforcedBy: 'server/platform/images/images.ts' },

  /** A delivery to a webhook. The body of the response is not read. */
  webhook: {
    ms: 10 * SECOND,
    enforcedBy: ['server/features/automation/automation.ts', 'server/features/webhooks/feature.ts'],
  },
  /** The metadata document of an OAuth client. */
  clientDocument: {
    bytes: 64 * KIB,
    ms: 5 * SECOND,
    count: 200,
    enforcedBy: 'server/account/access/oauth-server/clients.ts',
  },
  /** The request that notifies an app of a sign-out. */
  logoutNotice: {
    ms: 10 * SECOND,
    enforcedBy: 'server/features/openid/logout-notices.ts',
  },
  /** The cost of an imported bcrypt hash, as binary logarithm: about a second. */
  bcryptHash: { count: 14, enforcedBy: 'server/account/users/hashes/parse.ts' },
  /** The memory of an imported scrypt hash, and N · r · p: about half a second. */
  scryptHash: {
    memory: 128 * MIB,
    count: 1_048_576,
    enforcedBy: 'server/account/users/hashes/parse.ts',
  },
  /** The memory of an imported Argon2 hash, its passes, and both together: about a second. */
  argon2Hash: {
    memory: 256 * MIB,
    count: 6,
    memoryOfPasses: 768 * MIB,
    enforcedBy: 'server/account/users/hashes/parse.ts',
  },
  /** The iterations of an imported PBKDF2 hash: about a second. */
  pbkdf2Hash: { count: 2_000_000, enforcedBy: 'server/account/users/hashes/parse.ts' },
  /** A user of an import, as JSON. */
  importedUser: { bytes: 64 * KIB, enforcedBy: 'server/features/user-import/lines.ts' },
  /** The users of one transaction of an import. */
  importedUsers: { count: 250, enforcedBy: 'server/features/user-import/service.ts' },
  /** A response of an OAuth provider: metadata, keys, tokens, the user. */
  oauthProvider: {
    bytes: MIB,
    ms: 10 * SECOND,
    enforcedBy: 'server/account/sign-in/oauth/providers/provider.ts',
  },
  /** A response of Stripe, and the retries of a call. */
  stripe: {
    bytes: 4 * MIB,
    ms: 10 * SECOND,
    count: 2,
    enforcedBy: 'server/features/billing/stripe/client.ts',
  },
  /** A silence of the mail server. */
  smtpSilence: { ms: 30 * SECOND, enforcedBy: 'server/platform/mail/transport.ts' },
  /** The delivery of one email. */
  smtpDelivery: { ms: 3 * MINUTE, enforcedBy: 'server/platform/mail/transport.ts' },
  /** Trying settings of the server. */
  settingTest: {
    ms: 20 * SECOND,
    enforcedBy: [
      'server/admin/settings/testing/setting-tests.ts',
      'server/admin/settings/testing/mail.ts',
    ],
  },
  /** A file that S3 returns, and a call of S3. */
  s3: { bytes: 32 * MIB, ms: MINUTE, enforcedBy: 'server/platform/blobs.ts' },
} as const satisfies Record<string, Budget>
