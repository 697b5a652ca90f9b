import type { Reader } from '@vid/reader'
import type { Renderer, RenderSettings } from '@vid/render'
import type { Database } from '../database/database.ts'
import type { OnEnded } from '../queue/endings.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'

/** Provides unpacked projects. */
interface ProjectSource {
  /** Returns the project with a digest, unpacked from its zip in the storage; its folder is read-only. */
  hold(key: string, digest: string, signal: AbortSignal): Promise<{ readonly folder: string; release(): void }>
}

/** A log for the operator. */
export interface CloudLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Dependencies of all processes that work on renders. */
export interface WorkParts {
  readonly database: Database
  readonly queue: Queue
  readonly storage: Storage
  readonly log: CloudLog
  /** Records, in the transaction that ends a render, whom to notify. */
  readonly onEnded: OnEnded
}

/** Dependencies of a worker. */
export interface WorkerParts extends WorkParts {
  readonly projects: ProjectSource
  /** A renderer for as many concurrent renders as the worker has slots, with the operator's config. */
  readonly renderer: Renderer
  readonly reader: Pick<Reader, 'reading'>
}

/** Settings of a worker. */
export interface WorkerSettings {
  /** Number of concurrent jobs. */
  readonly slots: number
  /** A render with more segments is distributed to all workers. */
  readonly spreadSegments: number
  /** Longest time of a job. */
  readonly timeoutMs: number
  /** Absolute folder for unfinished files; best on the file system of the unpacked projects. */
  readonly workDir: string
  /** Version of vid, shown to the operator. */
  readonly version: string
  /** How often an idle worker polls the queue. */
  readonly pollMs: number
  /** How often it renews its lease and checks for cancelled renders. */
  readonly tickMs: number
  /** Settings common to all renders, such as preset and target. */
  readonly render: Pick<RenderSettings, 'preset' | 'target' | 'workers'>
}

/** The default settings. */
export const workerDefaults = {
  spreadSegments: 4,
  timeoutMs: 2 * 60 * 60 * 1000,
  pollMs: 500,
  tickMs: 1000,
  render: {},
} as const satisfies Partial<WorkerSettings>
