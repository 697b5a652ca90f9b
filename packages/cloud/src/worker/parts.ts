import type { Renderer, RenderSettings } from '@vid/render'
import type { Database } from '../database/database.ts'
import type { OnEnded } from '../queue/endings.ts'
import type { Queue } from '../queue/queue.ts'
import type { Storage } from '../storage/storage.ts'

/** Where unpacked projects come from. */
export interface ProjectSource {
  /** The project of a digest, from the zip under a key of the storage; nobody may write into its folder. */
  hold(key: string, digest: string, signal: AbortSignal): Promise<{ readonly folder: string; release(): void }>
}

/** A log for the operator. */
export interface CloudLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** What processes that work on renders have in common. */
export interface WorkParts {
  readonly database: Database
  readonly queue: Queue
  readonly storage: Storage
  readonly log: CloudLog
  /** Records, in the transaction in which a render ends, whom to notify of it. */
  readonly onEnded: OnEnded
}

/** What a worker renders with. */
export interface WorkerParts extends WorkParts {
  readonly projects: ProjectSource
  /** As many renders at once as the worker has slots; its config is the operator's. */
  readonly renderer: Renderer
}

/** How a worker works. */
export interface WorkerSettings {
  /** Jobs at once. */
  readonly slots: number
  /** A render of more segments than this is spread over all workers. */
  readonly spreadSegments: number
  /** Longest time for one job. */
  readonly timeoutMs: number
  /** Absolute folder for what is being made; best on the file system of the unpacked projects. */
  readonly workDir: string
  /** Of vid, for the operator. */
  readonly version: string
  /** How often a worker without work looks for some. */
  readonly pollMs: number
  /** How often it renews its lease, and looks whether its renders are still wanted. */
  readonly tickMs: number
  /** What is the same for all renders, such as preset and target. */
  readonly render: Pick<RenderSettings, 'preset' | 'target' | 'workers'>
}

/** The settings that need no thought. */
export const workerDefaults = {
  spreadSegments: 4,
  timeoutMs: 2 * 60 * 60 * 1000,
  pollMs: 500,
  tickMs: 1000,
  render: {},
} as const satisfies Partial<WorkerSettings>
