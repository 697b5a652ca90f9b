import type {
  ProgressReport,
  RemoteCost,
  RenderPlan,
  RenderRequest,
  RenderStage,
  SettingName,
  TakenSetting,
  Timing,
  Warning,
} from '@vid/protocol'
import type { Blobs } from './blob-store.ts'
import type { Artifact, CheckedDefinition, EncodedFile, PluginContext } from './roles.ts'

/** Options of `renderSegment`. */
export interface SegmentPart {
  readonly signal?: AbortSignal
  /** Called for each frame that was captured. */
  onFrame?(): void
  /**
   * The encoder gets its first frame once this has settled. Until then frames are captured and held, at most 64 MiB of
   * them.
   */
  readonly encodeAfter?: Promise<unknown>
  /**
   * Called when all frames have been captured, in the `lane` of their session, and their page is free for another
   * segment; the encoder may still be busy.
   */
  onCaptured?(lane?: string): void
  /**
   * Called when other pages may help to capture this segment. Each call of `help` leases a page, and resolves once that
   * has no more to capture; at once if a single page has to capture all frames. Rejects if no page can be opened.
   */
  onSliceable?(help: () => Promise<void>): void
}

/** The share of the machine that a render may use. */
export interface MachineShare {
  /** May be a fraction. */
  readonly cores: number
  readonly memoryBytes: number
}

/** The context of a target that renders a plan. */
export interface TargetContext<O> extends PluginContext<O> {
  readonly request: RenderRequest
  readonly machine: MachineShare
  /** Frames of a segment after which the load of every encoder of the plan is that of the rest. */
  readonly lookahead: number
  /** Captures and encodes one segment in this process; aborts with the render, or with the signal of `part`. */
  renderSegment(index: number, part?: SegmentPart): Promise<EncodedFile>
  /** Joins all segments, given in order. */
  join(segments: readonly EncodedFile[]): Promise<Artifact>
  progress(framesRendered: number): void
  /** Opens the configured store, once per render; the kernel closes it. Left out without a store. */
  openStore?(): Promise<Blobs>
}

/** Decides where and in which order the segments of a plan are rendered. */
export interface PlanTargetDefinition<O> extends CheckedDefinition<O> {
  run(plan: RenderPlan, context: TargetContext<O>): Promise<Artifact>
  readonly render?: never
  readonly takes?: never
  readonly refuses?: never
}

/** The progress of the remote render. */
export interface RemoteProgress extends ProgressReport {
  readonly stage: Exclude<RenderStage, 'deliver'>
}

/**
 * Settings that another side takes: `true` for each of their values, or the values that it takes; or a text, of why it
 * takes none. `takes` of a surface that `defineSurface` made is one.
 */
export type TakenSettings = { readonly [N in SettingName]?: TakenSetting }

/** A segment that the other side has finished. */
export interface RemoteSegment {
  readonly index: number
  readonly frames: number
  /** The reason for reusing it. */
  readonly reused?: string
}

/** Where the plugins of a kernel come from, so that a render elsewhere can load them again. */
export interface SetupOrigin {
  /** Absolute path of the config file; undefined without one. */
  readonly file: string | undefined
  /** Name of the preset. */
  readonly preset: string
  /** Whether finished segments are kept and reused. */
  readonly cache: boolean
  /** Whether no segment is looked up, although new ones are kept. */
  readonly fresh: boolean
}

/** The context of a target that takes whole requests; console messages of the remote pages go to `log`. */
export interface RequestContext<O> extends PluginContext<O> {
  /** Paths for the artifact of each output, in their order: absolute, in the scratch folder, and unused. */
  readonly paths: readonly [string, ...string[]]
  /** Reports the id under which the other side renders the request. */
  accepted(remoteId: string): void
  /** The origin of the plugins of this render; undefined if a program has assembled them. */
  readonly origin?: SetupOrigin
  /** Reports how many requests the other side renders before this one; 0 for the next. */
  queued(position: number): void
  /** Reports how far the other side is; a report that goes back is left out. */
  progress(progress: RemoteProgress): void
  segment(segment: RemoteSegment): void
}

/** An artifact that came from somewhere else. */
export interface RemoteArtifact extends Artifact {
  /**
   * SHA-256 (hex) that it must have, checked before it is delivered: that of the file, or of the lines that `sha256sum
   * *` prints in a folder, sorted by name.
   */
  readonly digest?: string
  readonly more?: readonly RemoteArtifact[]
}

/** A request that was rendered somewhere else. */
export interface RemoteResult {
  /** As many as the request has outputs, in their order. */
  readonly artifact: RemoteArtifact
  readonly frames: number
  /** Length of the video. */
  readonly durationMs: number
  /** Of the other side; those that were passed to `warn` are not repeated. */
  readonly warnings?: readonly Warning[]
  readonly cost?: RemoteCost
  /** Time spent in each plugin there. */
  readonly timings?: readonly Timing[]
}

/** Has requests rendered somewhere else, each whole: here, no plan is made and no browser starts. */
export interface RequestTargetDefinition<O> extends CheckedDefinition<O> {
  /** Rejects with an error that keeps its code when the other side reports one; settles soon after an abort. */
  render(request: RenderRequest, context: RequestContext<O>): Promise<RemoteResult>
  /** The settings that it takes: a request that changes another one is refused. All of them if left out. */
  readonly takes?: TakenSettings
  /** Further problems with a request, such as `hdr is not supported`; called before anything starts. */
  refuses?(request: RenderRequest, options: O): readonly string[]
  readonly run?: never
}

/** Decides where a render is done. */
export type TargetDefinition<O> = PlanTargetDefinition<O> | RequestTargetDefinition<O>
