/** One kind of foreign input: its limits, and the file that enforces them. */
interface Budget {
  /** Bytes. For compressed input, after decompression. */
  bytes?: number
  /** UTF-16 code units. */
  characters?: number
  /** Milliseconds. */
  ms?: number
  /** Resident memory of the child process that reads it, in bytes. */
  memory?: number
  /** Parts: nested encodings, pixels, entries, redirects, tokens. The name of the row says which. */
  count?: number
  /** The file in this repository that enforces the limits. */
  enforcedBy: string
}

/**
 * What foreign input may cost: everything that a client, a web page, a model, a file or another server
 * sends. Each limit is read by the file that enforces it, and `docs/reference/limits.md` lists them.
 */
export const budgets = {
  requestBody: { bytes: 1024 * 1024, enforcedBy: 'server/platform/http/body.ts' },
  // Far above what svc writes: uploads have up to 25 MiB, and a manifest some kilobytes.
  backupFile: {
    bytes: 256 * 1024 * 1024,
    enforcedBy: 'server/system/backup/archive-reader.ts',
  },
  // Of scrypt, as the binary logarithm: 256 MiB of memory, and about a second.
  backupWorkFactor: { count: 18, enforcedBy: 'server/system/backup/encryption.ts' },
  backupText: { bytes: 1024 * 1024, enforcedBy: 'server/system/backup/archive-reader.ts' },
  /** Levels of nesting. More than any message needs; the rest of the API allows 64. */
  mcpNesting: { count: 100, enforcedBy: 'server/mcp/endpoint/message.ts' },
  /** Names of fields. A message is parsed and validated three times; no tool has as many arguments. */
  mcpNames: { count: 10_000, enforcedBy: 'server/mcp/endpoint/message.ts' },
  /** The text and the reasoning of an answer. */
  modelAnswer: {
    characters: 500_000,
    ms: 600_000,
    enforcedBy: 'server/platform/models/generation.ts',
  },
  /** Tokens of one completion, sent with each request; fewer where the window has no room. */
  modelTokens: { count: 16_384, enforcedBy: 'server/platform/models/models.ts' },
  /** The arguments of the tools that one completion calls. */
  modelToolInput: { characters: 32_000, enforcedBy: 'server/platform/models/generation.ts' },
  /** Tool calls of one answer. */
  modelToolCalls: { count: 32, enforcedBy: 'server/platform/models/prompt.ts' },
  /** The bytes and lines of one HTTP response of a model: a token takes 200 to 500 bytes and two lines. */
  modelResponse: {
    bytes: 16 * 1024 * 1024,
    count: 200_000,
    enforcedBy: 'server/platform/fetch/limited-fetch.ts',
  },
  modelLine: { bytes: 1024 * 1024, enforcedBy: 'server/platform/fetch/limited-fetch.ts' },
  modelError: { bytes: 64 * 1024, enforcedBy: 'server/platform/fetch/limited-fetch.ts' },
  /** A response with the vectors of 64 texts; 8,192 numbers each take 12 MB. */
  embeddings: {
    bytes: 16 * 1024 * 1024,
    ms: 60_000,
    enforcedBy: 'server/memory/vectors/endpoint.ts',
  },
  /**
   * The response for an hour of speech has some megabytes with the time of each word, and takes a good
   * model on a slow machine about so long.
   */
  transcription: {
    bytes: 8 * 1024 * 1024,
    ms: 5 * 60_000,
    enforcedBy: 'server/conversation/transcribe/service.ts',
  },
  /** A page, before and after decompression; the time is for all redirects together. */
  page: { bytes: 5 * 1024 * 1024, ms: 10_000, enforcedBy: 'server/platform/fetch/fetcher.ts' },
  pageRedirects: { count: 5, enforcedBy: 'server/platform/fetch/fetcher.ts' },
  /** Encodings of one page, each of which is decompressed. */
  pageEncodings: { count: 2, enforcedBy: 'server/platform/fetch/decompress.ts' },
  /** The size of a page in relation to its compressed size, from 1 MB on. */
  pageRatio: { count: 100, enforcedBy: 'server/platform/fetch/decompress.ts' },
  /** The CPU time and the memory of the process that decodes an image. */
  image: {
    ms: 10_000,
    memory: 512 * 1024 * 1024,
    enforcedBy: 'server/platform/images/images.ts',
  },
  /** Enough for photos of current phones. */
  imagePixels: { count: 50_000_000, enforcedBy: 'server/platform/images/image-process.ts' },
  /** Images that are decoded at the same time. */
  images: { count: 2, enforcedBy: 'server/platform/images/images.ts' },
  /** Marks such as `@`, `_` and `/` between spaces, in a text that PostgreSQL's text search parses. */
  searchTextRun: { count: 32, enforcedBy: 'server/memory/memories/lookahead.ts' },
  /** One statement of a request. Together with the wait before, less than the idle timeout of HTTP. */
  requestStatement: { ms: 15_000, enforcedBy: 'server/platform/db/postgres.ts' },
  /** The wait of a statement, or a transaction, for a connection. */
  requestConnectionWait: { ms: 10_000, enforcedBy: 'server/platform/db/postgres.ts' },
  /** One statement of a request with large writes, such as an import, and its wait for a connection. */
  bulkStatement: { ms: 120_000, enforcedBy: 'server/platform/db/postgres.ts' },
  backgroundStatement: { ms: 600_000, enforcedBy: 'server/platform/db/postgres.ts' },
  /** Connections for all requests; an account gets at most three. */
  requestConnections: { count: 6, enforcedBy: 'server/platform/db/postgres.ts' },
} as const satisfies Record<string, Budget>
