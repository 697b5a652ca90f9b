import type {
  RenderEvent,
  RenderEventDraft,
  RenderPlan,
  RenderRequest,
  RenderStage,
  Segment,
  Timing,
  VidError,
  Warning,
} from '@vid/protocol'
import type { Blobs } from './blob-store.ts'
import type { KernelHooks, Tap } from './hooks.ts'
import type { PluginIdentity, PluginOf } from './plugin.ts'
import type { Reading } from './reading.ts'
import type {
  Artifact,
  EncodedFile,
  Frame,
  FrameFormat,
  PixelFrame,
  PluginContext,
  PluginWarning,
  ShownFrame,
} from './roles.ts'
import type { SharedPool } from './shared-pool.ts'
import type { MachineShare, SegmentPart, SetupOrigin } from './targets.ts'

/** The plugins of a kernel, by role. */
export interface KernelSetup {
  readonly capture: PluginOf<'capture'>
  readonly encoders: readonly PluginOf<'encoder'>[]
  readonly store?: PluginOf<'store'>
  readonly target?: PluginOf<'target'>
  readonly deliveries?: readonly PluginOf<'delivery'>[]
  readonly plugins?: readonly PluginOf<'plugin'>[]
  readonly origin?: SetupOrigin
}

/** Where a video is published while it is rendered. */
export interface PublishOptions {
  /** Absolute path of an empty folder; its owner removes it. */
  readonly folder: string
  /** True to publish nothing where the formats or the target cannot, instead of refusing the request. */
  readonly isOptional?: boolean
  /** Called after each segment that was published, with the path of the file that players open. */
  onSegment?(index: string): void
}

/** How a render publishes a video; without a folder, in its scratch folder. */
export interface Publishing extends Omit<PublishOptions, 'folder'> {
  readonly folder?: string
  /** Called once, when no more is published. */
  onEnd?(): Promise<void>
}

/** The video of a plan that is published in this process. */
export interface OpenPublication {
  /** Resolves to the sound that is mixed for it, when it is finished; to undefined without any. */
  readonly audio: Promise<EncodedFile | undefined>
  /** Publishes the next segment, in their order. */
  add(segment: EncodedFile): Promise<void>
  /** Ends the video after the segments that were published. */
  end(): Promise<void>
}

/** Options for opening a render in this process. */
export interface RunOptions {
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Name of this render in its events; one is made when it is left out. */
  readonly renderId?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The pool that several renders share; its owner closes it. Without it, a render has a separate pool. */
  readonly shared?: SharedPool | undefined
  /**
   * Mixed sounds that several renders of one setup share; its owner closes it. Without it, each render mixes its sound.
   */
  readonly sounds?: SharedPool | undefined
  /** Where texts of the composition are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  /** Absolute folder that the store belongs to in place of the project's, so that copies of a project share one. */
  readonly storeDir?: string | undefined
  /** The share of the machine that this render may use; all of it if left out. */
  readonly machine?: MachineShare | undefined
  /** Stops the render at the first warning of severity `error`; see `OpenRender.refusal`. */
  readonly strict?: boolean | undefined
  /** Only pictures of single frames are taken: one page of a composition does for them. */
  readonly picturesOnly?: boolean | undefined
  /** Publishes the first output whose encoder can, as its segments are finished. */
  readonly publish?: Publishing | undefined
  onEvent?(event: RenderEvent): void
}

/** Options of a render of one request. */
export interface RequestOptions extends Omit<RunOptions, 'projectDir'> {
  /** A plan of this request that was made before, here or on another machine; left out, one is made. */
  readonly plan?: RenderPlan | undefined
  /**
   * Gets the plan before anything is captured for it. When it resolves to true, the caller has the plan rendered, and
   * this render ends without a result. Not called for a target that takes requests whole.
   */
  takePlan?(plan: RenderPlan, warnings: readonly Warning[]): Promise<boolean>
}

/** How a page is examined. */
export interface ExamineOptions {
  /** Whether its pixels are never read: a page that draws frames fast would be opened in vain. */
  readonly picturesOnly?: boolean
}

/** A page of a plan that shows single frames, to be examined. */
export interface ExaminedPage {
  /** Shows a frame, counted from the first of the plan; the frame shown before can then no longer be used. */
  show(frame: number): Promise<ShownFrame>
  /**
   * Like `show`, where pixels take less time than a picture; undefined where they do not. Pages of both kinds are
   * independent of each other.
   */
  showPixels(frame: number): Promise<PixelFrame | undefined>
  /** Closes the page, which may have been changed. */
  close(): Promise<void>
}

/** What makes the files of a request besides its composition: plugins with their options, code and builds. */
export interface RenderMaker {
  readonly capture: RenderPlan['capture']
  /** Those of its outputs, in order. */
  readonly encoders: readonly RenderPlan['encoder'][]
  readonly taps: RenderPlan['taps']
}

/** One render that is open: the portable functions, all that a target needs, and what was measured. */
export interface OpenRender {
  /** Included in every event. */
  readonly renderId: string
  readonly hooks: KernelHooks
  readonly signal: AbortSignal
  readonly warnings: readonly Warning[]
  /** Notes of plugins about how the plan was made, such as why something was left out. */
  readonly notes: readonly string[]
  readonly machine: MachineShare
  /**
   * Lets the target and the deliveries check a request before its first frame; rejects with the error of the first that
   * refuses it.
   */
  check(request: RenderRequest): Promise<void>
  /** Creates a plan; `split` divides the frames into segments once their number is known. */
  plan(request: RenderRequest, split?: (frames: number) => Segment[]): Promise<RenderPlan>
  /** What would make the files of a request; no page is opened for that. */
  maker(request: RenderRequest): Promise<RenderMaker>
  /** The plan as it may be used here; refused where another browser, ffmpeg or plugin made it. */
  acceptPlan(plan: RenderPlan): Promise<RenderPlan>
  /** Frames of a segment after which the load of every encoder of a plan is that of the rest. */
  lookaheadOf(plan: RenderPlan): number
  /** Opens the configured store, once; left out without one. */
  readonly openStore?: () => Promise<Blobs>
  /** Captures and encodes one segment of a plan that was made here or elsewhere. */
  renderSegment(plan: RenderPlan, index: number, part?: SegmentPart): Promise<EncodedFile>
  /** Captures frames of a plan without encoding them; they are counted from the first of the plan. */
  frames(
    plan: RenderPlan,
    range: Pick<Segment, 'start' | 'frames'>,
    accepts: readonly FrameFormat[],
  ): AsyncIterable<Frame>
  /** Leases a page that shows single frames of a plan; nothing is opened before the first. */
  examine(plan: RenderPlan, options?: ExamineOptions): ExaminedPage
  join(plan: RenderPlan, segments: readonly EncodedFile[], audio?: EncodedFile): Promise<Artifact>
  /** Begins to publish the first output of a plan whose encoder can; its segments may be rendered elsewhere. */
  publish(plan: RenderPlan, options: Publishing): Promise<OpenPublication>
  /**
   * Creates the context of a plugin function; options from a plan get the secrets and machine-local options of this
   * process.
   */
  context(
    plugin: Pick<PluginIdentity, 'name' | 'options' | 'optionsSchema'>,
    signal?: AbortSignal,
    planned?: Readonly<Record<string, unknown>>,
  ): PluginContext
  /** Runs `setup` so that its taps belong to `plugin`; refused once the render has started. */
  as(plugin: string, setup: () => unknown): void
  taps(): Tap[]
  timings(): readonly Timing[]
  warn(warning: PluginWarning): void
  /** The error of a strict render that was stopped by what it was warned of. */
  refusal(): VidError | undefined
  /** Reports what the pages wrote to the console since the last call, each message once. */
  reportConsole(): void
  /** Reports how many warnings have joined others of their group since the last call. */
  reportGroups(): void
  /** Reports to observers, with the id of this render. */
  emit(event: RenderEventDraft): void
  report(stage: RenderStage, framesRendered: number, totalFrames: number): void
  /** Stops and awaits running work, closes every page and removes the scratch folder. */
  close(): Promise<void>
}

/** Checked plugins, ready to render. */
export interface Kernel {
  readonly setup: KernelSetup
  /** Opens one render: taps every plugin. Close it at the end. */
  open(options: RunOptions): Promise<OpenRender>
}
