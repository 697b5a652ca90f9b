import type { RenderEvent, RenderPlan, RenderRequest, RenderResult, VidError, Warning } from '@vid/protocol'
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook, SyncHook } from 'tapable'
import type { Blobs } from './blob-store.ts'
import type { Reading } from './reading.ts'
import type {
  Artifact,
  CaptureSession,
  EncodedFile,
  Frame,
  JoinOutput,
  MixedSound,
  PluginContext,
  Probe,
  SegmentJob,
  SegmentMaker,
  SoundGrowth,
  Verification,
} from './roles.ts'
import type { SharedPool } from './shared-pool.ts'
import type { SourceFiles } from './source-files.ts'
import type { RemoteResult } from './targets.ts'

/** The context of a tap on `resolve` or `plan`. */
export interface PlanContext {
  readonly request: RenderRequest
  readonly signal: AbortSignal
  readonly sources: SourceFiles
  /** Absolute scratch folder of this render, removed by the kernel when it ends. */
  readonly workDir: string
  /** Where texts of the composition are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  /** Sounds, and what was measured of them, that are shared with other renders; left out, none are. */
  readonly sounds?: SharedPool | undefined
  warn(warning: Warning): void
  /** Opens the page of a draft plan and lets its scripts run; the same page captures later. */
  probe(draft: RenderPlan): Promise<Probe>
}
/** The input of a target: a plan. */
export interface ExecuteJob {
  readonly plan: RenderPlan
  readonly request: RenderRequest
}
/** The input of a target that takes whole requests. */
export interface RequestJob {
  readonly request: RenderRequest
}
/** A segment to encode, or to take from the store. */
export interface SegmentTask extends Omit<PluginContext, 'options'> {
  readonly segment: SegmentJob
  readonly make: SegmentMaker
  /** Options of the capture engine in this process: those of the plan and those of this machine, without secrets. */
  readonly captureOptions: Readonly<Record<string, unknown>>
  /** Opens the configured store, once per render; the kernel closes it. Left out without a store. */
  openStore?(): Promise<Blobs>
}
/** A media source to find; each is requested once in a render. */
export interface SourceJob {
  /** The source as the page names it: a path in the project, or an address of any scheme. */
  readonly src: string
  /** Absolute folder of the composition. */
  readonly projectDir: string
  readonly signal: AbortSignal
  /** Where texts of the composition are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  warn(warning: Warning): void
}
/** A segment to encode, with its frames. */
export interface EncodeJob {
  readonly segment: SegmentJob
  readonly frames: AsyncIterable<Frame>
  readonly signal: AbortSignal
}
/** Sound to mix. */
export interface MixJob extends Omit<PluginContext, 'options'> {
  readonly plan: RenderPlan
  /** Path for the sound, absolute and without extension. */
  readonly path: string
  /** Called as the sound grows, by a mixer that writes it in order; its file is the one that the mix resolves to. */
  onGrowth?(growth: SoundGrowth): void
}
/** Segments to join into one artifact. */
export interface JoinJob {
  readonly segments: readonly EncodedFile[]
  readonly audio: EncodedFile | undefined
  readonly output: JoinOutput
}
/** A finished artifact to deliver. */
export interface DeliverJob {
  readonly artifact: Artifact
  readonly result: RenderResult
}

/** The pipeline, as data: one line per step. Names in brackets are for people and error messages. */
export const createHooks = () => ({
  resolve: new AsyncSeriesWaterfallHook<[Record<string, unknown>, PlanContext]>(['variables', 'context']),
  plan: new AsyncSeriesWaterfallHook<[RenderPlan, PlanContext]>(['plan', 'context']),
  source: new AsyncSeriesBailHook<[SourceJob], string | undefined>(['job']),
  execute: new AsyncSeriesBailHook<[ExecuteJob], Artifact | undefined>(['job']),
  request: new AsyncSeriesBailHook<[RequestJob], RemoteResult | undefined>(['job']),
  capture: new AsyncSeriesBailHook<[RenderPlan], CaptureSession | undefined>(['plan']),
  segment: new AsyncSeriesBailHook<[SegmentTask], EncodedFile | undefined>(['task']),
  encode: new AsyncSeriesBailHook<[EncodeJob], EncodedFile | undefined>(['job']),
  mix: new AsyncSeriesBailHook<[MixJob], MixedSound | undefined>(['job']),
  join: new AsyncSeriesBailHook<[JoinJob], Artifact | undefined>(['job']),
  verify: new AsyncSeriesHook<[Verification]>(['made']),
  deliver: new AsyncSeriesHook<[DeliverJob]>(['job']),
  progress: new SyncHook<[RenderEvent]>(['event']),
  done: new AsyncSeriesHook<[RenderResult]>(['result']),
  failed: new AsyncSeriesHook<[VidError]>(['error']),
})
export type { FullTap } from 'tapable'
/** The hooks of one render. */
export interface KernelHooks extends ReturnType<typeof createHooks> {}
/** A tap, as `vid inspect` lists it; lower stages come first. */
export interface Tap {
  readonly hook: string
  readonly plugin: string
  readonly stage: number
}
