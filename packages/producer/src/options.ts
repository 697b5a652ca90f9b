import { resolve } from 'node:path'
import { type Static, schemaProblems, Type, Value } from '@vid/kernel'
import { machineMemory } from '@vid/system'
import { fail } from './errors.ts'

const MINUTE_MS = 60_000
const MIB = 2 ** 20
/** A timer holds no more. */
const MAX_MS = 2 ** 31 - 1

/** A host name or address, without a port. */
const HOST_NAME = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)$/

/** The origin of a web page: scheme, host and port. */
const ORIGIN = /^https?:\/\/(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/

/** What a render server can be started with; sizes in bytes. */
export const ProducerOptionsSchema = Type.With(
  Type.Object({
    /** Renders at once. */
    maxConcurrentRenders: Type.Integer({ minimum: 1, maximum: 10, default: 2 }),
    /** Requests that may wait; more are refused. */
    maxQueued: Type.Integer({ minimum: 0, maximum: 100_000, default: 1000 }),
    /** Longest time for one render, without its waiting. */
    renderTimeoutMs: Type.Integer({ minimum: 1000, maximum: MAX_MS, default: 60 * MINUTE_MS }),
    /** How long a result can be fetched. */
    outputTtlMs: Type.Integer({ minimum: 1, maximum: MAX_MS, default: 15 * MINUTE_MS }),
    /** How long a project that was sent is kept after its last use. */
    projectTtlMs: Type.Integer({ minimum: 1, maximum: MAX_MS, default: 60 * MINUTE_MS }),
    /** Most that projects without a waiting request take on disk. */
    projectBytes: Type.Integer({ minimum: 0, default: 4096 * MIB }),
    /** Most that projects take on disk which arrive, or are those of requests that wait or run; more are refused. */
    heldProjectBytes: Type.Integer({ minimum: 1024, default: 16 * 1024 * MIB }),
    /** Most memory that all renders together plan with. */
    memoryBytes: Type.Optional(Type.Integer({ minimum: 256 * MIB })),
    /** Largest body of JSON. */
    bodyBytes: Type.Integer({ minimum: 1024, default: 16 * MIB }),
    /** Most memory for bodies that arrive, and for what requests keep of them while they wait. */
    heldBodyBytes: Type.Integer({ minimum: 1024, default: 512 * MIB }),
    /** Largest zip of a project. */
    uploadBytes: Type.Integer({ minimum: 1024, default: 1024 * MIB }),
    /** Largest project, unpacked. */
    unpackedBytes: Type.Integer({ minimum: 1024, default: 4096 * MIB }),
    /** Most files of a project. */
    unpackedFiles: Type.Integer({ minimum: 1, default: 20_000 }),
    /** Longest time for a connection to send a request. */
    requestTimeoutMs: Type.Integer({ minimum: 100, default: 10 * MINUTE_MS }),
    /** What pages may have fetched at most, and what they may when a request does not say. */
    network: Type.Union([Type.Literal('none'), Type.Literal('declared'), Type.Literal('public')], {
      default: 'declared',
    }),
    /** Folder in which requests may name compositions; the current folder if left out. */
    root: Type.Optional(Type.String({ minLength: 1 })),
    /** Folder in which requests may name outputs; `renders` of the root if left out. */
    outputRoot: Type.Optional(Type.String({ minLength: 1 })),
    /** Folder that keeps accepted requests when the process ends; without it, they end with the process. */
    stateDir: Type.Optional(Type.String({ minLength: 1 })),
    /** Tokens of clients, each of which sees its own requests only; without one, every client may do everything. */
    tokens: Type.Array(Type.String(), { default: [] }),
    /** Names of the server that requests may carry as their Host, beside those of the loopback; without ports. */
    allowedHosts: Type.Array(Type.String({ pattern: HOST_NAME.source }), { default: [] }),
    /** Origins of web pages that may use the server, such as `https://studio.example`. */
    allowedOrigins: Type.Array(Type.String({ pattern: ORIGIN.source }), { default: [] }),
  }),
  { additionalProperties: false },
)

/** Options of a render server, with their defaults filled in. */
export type ProducerSettings = Readonly<Static<typeof ProducerOptionsSchema>> & {
  /** Absolute. */
  readonly root: string
  readonly outputRoot: string
  readonly memoryBytes: number
}

/** Fills in defaults and refuses wrong options, naming all of them at once. */
export const checkOptions = (options: Readonly<Record<string, unknown>>, cwd: string): ProducerSettings => {
  const values = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const settings = Value.Default(ProducerOptionsSchema, Value.Clone(values)) as Static<typeof ProducerOptionsSchema>
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
