import { resolve } from 'node:path'
import { defined, type Static, schemaProblems, Type, Value } from '@vid/protocol'
import { machineMemory } from '@vid/system'
import { fail } from './errors.ts'

const MINUTE_MS = 60_000
const MIB = 2 ** 20
/** The longest delay that a timer accepts, in milliseconds. */
const MAX_MS = 2 ** 31 - 1

/** A host name or address, without a port. */
const HOST_NAME = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)$/

/** The origin of a web page: scheme, host and port. */
const ORIGIN = /^https?:\/\/(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/

/** Options of a render server; sizes in bytes. */
export const ProducerOptionsSchema = Type.With(
  Type.Object({
    /** Number of concurrent renders. */
    maxConcurrentRenders: Type.Integer({ minimum: 1, maximum: 10, default: 2 }),
    /** Maximum number of waiting requests; more are refused. */
    maxQueued: Type.Integer({ minimum: 0, maximum: 100_000, default: 1000 }),
    /** Longest time of one render, excluding its time in the queue. */
    renderTimeoutMs: Type.Integer({ minimum: 1000, maximum: MAX_MS, default: 60 * MINUTE_MS }),
    /** How long a result can be downloaded. */
    outputTtlMs: Type.Integer({ minimum: 1, maximum: MAX_MS, default: 15 * MINUTE_MS }),
    /** How long an uploaded project is kept after its last use. */
    projectTtlMs: Type.Integer({ minimum: 1, maximum: MAX_MS, default: 60 * MINUTE_MS }),
    /** Limit on the disk space of projects without a waiting request. */
    projectBytes: Type.Integer({ minimum: 0, default: 4096 * MIB }),
    /**
     * Limit on the disk space of projects that are being uploaded, or belong to waiting or running requests; more are
     * refused.
     */
    heldProjectBytes: Type.Integer({ minimum: 1024, default: 16 * 1024 * MIB }),
    /** Memory limit for all renders together. */
    memoryBytes: Type.Optional(Type.Integer({ minimum: 256 * MIB })),
    /** Largest JSON body. */
    bodyBytes: Type.Integer({ minimum: 1024, default: 16 * MIB }),
    /** Memory limit for bodies that are being received, and for the parts of them that waiting requests keep. */
    heldBodyBytes: Type.Integer({ minimum: 1024, default: 512 * MIB }),
    /** Largest zip of a project. */
    uploadBytes: Type.Integer({ minimum: 1024, default: 1024 * MIB }),
    /** Largest project, unpacked. */
    unpackedBytes: Type.Integer({ minimum: 1024, default: 4096 * MIB }),
    /** Maximum number of files in a project. */
    unpackedFiles: Type.Integer({ minimum: 1, default: 20_000 }),
    /** Longest time for a client to send a request. */
    requestTimeoutMs: Type.Integer({ minimum: 100, default: 10 * MINUTE_MS }),
    /** Network access of pages: the maximum, and the default of a request. */
    network: Type.Union([Type.Literal('none'), Type.Literal('declared'), Type.Literal('public')], {
      default: 'declared',
    }),
    /** Folder that contains the compositions requests may name; the current folder if left out. */
    root: Type.Optional(Type.String({ minLength: 1 })),
    /** Folder that contains the outputs requests may name; `renders` in the root if left out. */
    outputRoot: Type.Optional(Type.String({ minLength: 1 })),
    /** Folder that keeps accepted requests across restarts; without it, they end with the process. */
    stateDir: Type.Optional(Type.String({ minLength: 1 })),
    /** Tokens of clients, each of which sees only its own requests; without tokens, every client may do everything. */
    tokens: Type.Array(Type.String(), { default: [] }),
    /** Host names that requests may carry, beside those of the loopback; without ports. */
    allowedHosts: Type.Array(Type.String({ pattern: HOST_NAME.source }), { default: [] }),
    /** Origins of web pages that may use the server, such as `https://studio.example`. */
    allowedOrigins: Type.Array(Type.String({ pattern: ORIGIN.source }), { default: [] }),
  }),
  { additionalProperties: false },
)

/** Settings of a render server with their defaults filled in. */
export type ProducerSettings = Readonly<Static<typeof ProducerOptionsSchema>> & {
  /** Absolute path. */
  readonly root: string
  readonly outputRoot: string
  readonly memoryBytes: number
}

/** Fills in defaults and refuses invalid options, naming all of them at once. */
export const checkProducerOptions = (options: Readonly<Record<string, unknown>>, cwd: string): ProducerSettings => {
  const settings = Value.Default(ProducerOptionsSchema, Value.Clone(defined(options))) as Static<
    typeof ProducerOptionsSchema
  >
  const problems = schemaProblems(ProducerOptionsSchema, settings)
  if (problems.length > 0) throw fail('VID_PRODUCER_OPTION', { problems })
  const root = resolve(cwd, settings.root ?? '.')
  return {
    ...settings,
    root,
    outputRoot: resolve(cwd, settings.outputRoot ?? `${root}/renders`),
    ...(settings.stateDir !== undefined && { stateDir: resolve(cwd, settings.stateDir) }),
    memoryBytes: settings.memoryBytes ?? machineMemory(),
  }
}
