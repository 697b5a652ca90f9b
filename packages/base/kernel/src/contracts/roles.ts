import type {
  CaptionsUse,
  ChapterUse,
  ConsoleMessage,
  EncoderSetting,
  MediaUse,
  RenderPlan,
  RenderRequest,
  RenderResult,
  Segment,
  Warning,
} from '@vid/protocol'
import type { BlobStore } from './blob-store.ts'
import type { Reading } from './reading.ts'
import type { SharedPool } from './shared-pool.ts'
import type { SourceFiles } from './source-files.ts'

/**
 * How a frame's bytes are laid out: planar or packed raw pixels, or an encoded image. `yuva420p` is `yuv420p` of
 * straight colours with a full-range plane of alpha after it; `yuv420p10` is limited-range bt2020, two bytes a sample,
 * the low one first, by the curve of the plan's `hdr`: for such plans alone.
 */
export type FrameFormat = 'yuv420p' | 'yuva420p' | 'rgba' | 'png' | 'jpeg' | 'yuv420p10'

/** One picture of a composition. */
export interface Frame {
  /** Frame number in the whole render, counted from 0. */
  readonly index: number
  readonly format: FrameFormat
  /**
   * Raw pixels (`width × height × 4` bytes for rgba) or the bytes of an image file. They are valid until the frame
   * after the next one is requested, whose pixels may reuse the buffer: copy them to keep them longer.
   */
  readonly data: Uint8Array
  /** True when the picture equals the one before; `data` then is the same object as there. */
  readonly repeat?: boolean
}

/** A warning as a plugin reports it. */
export interface PluginWarning extends Warning {
  /**
   * What it has in common with others of its code, in words that a number may follow: the first of a group is reported
   * at once, and the others are counted at the end of the render.
   */
  readonly group?: string
  /** True when it is about how this capture went, not about the picture: a render that reuses the segment lacks it. */
  readonly transient?: true
}

/** Passed to every plugin function beside its own arguments. */
export interface PluginContext<O = Record<string, unknown>> {
  readonly options: O
  readonly signal: AbortSignal
  /** Absolute folder of the composition. */
  readonly projectDir: string
  /** Absolute scratch folder of this render, removed by the kernel when it ends. */
  readonly workDir: string
  readonly sources: SourceFiles
  /** Resources shared with other renders of the same caller; left out, none are. */
  readonly shared?: SharedPool
  /** Where texts of the composition are read; in this thread if left out. */
  readonly reading?: Reading | undefined
  /** Whether only pictures of single frames are taken; left out, many frames may be. */
  readonly picturesOnly?: boolean
  warn(warning: PluginWarning): void
  /** Receives notes about how a plan was made, for users who inspect it; optional. */
  readonly note?: (reason: string) => void
  /** Receives the console messages of a page; optional. */
  readonly log?: (message: ConsoleMessage) => void
}

/** Properties of a page once its scripts have run. */
export interface Probe {
  /** Seconds, or null when the page does not say. */
  readonly duration: number | null
  readonly stateful: boolean
  /** True when scripts of the page draw with WebGL. */
  readonly drawsWebgl?: boolean
  /** True when nothing of the picture is transparent; left out, it may be. */
  readonly covered?: boolean
  /** The reason why the composition is invisible in every frame; left out if it may be visible. */
  readonly unseen?: string
  /** Settings with which this page is captured, found out by opening it; they become a part of the plan's. */
  readonly settings?: RenderPlan['capture']['settings']
  /** In document order; sources are named, not checked. Left out by an engine that shows none. */
  readonly media?: readonly MediaUse[]
  /** In document order; files are named, not checked. Left out by an engine that reports none. */
  readonly captions?: readonly CaptionsUse[]
  /** In document order. Left out by an engine that reports none. */
  readonly chapters?: readonly ChapterUse[]
}

/** A frame that a page shows and stays on, so that it can be examined. */
export interface ShownFrame {
  /** Evaluates an expression in the page, waits for its promise, and resolves to its JSON value. */
  evaluate(expression: string): Promise<unknown>
  /** The picture of what the page shows now, as a PNG: also after an expression has changed it. */
  picture(): Promise<Uint8Array>
}

/** A frame that a page shows and stays on, whose pixels are read without encoding them. */
export interface PixelFrame extends Pick<ShownFrame, 'evaluate'> {
  /** What the page shows now, also after an expression has changed it: red, green, blue and alpha of each pixel. */
  pixels(): Promise<Uint8Array>
}

/** Frames of a segment that one of several pages captures. */
export interface SegmentSlice {
  /** The whole segment. */
  readonly segment: Segment
  /** The frame before which the slice ends. It may become an earlier one, at least eight after the last that was read. */
  end(): number
}

/** One page, seeked forwards. */
export interface CaptureSession {
  probe(): Promise<Probe>
  /**
   * Frames `start … start + frames - 1`, in order; a later call may start anywhere. `plan` is the finished plan:
   * without it, videos show nothing.
   */
  frames(range: Segment, accepts: readonly FrameFormat[], plan?: RenderPlan): AsyncIterable<Frame>
  /**
   * Frames of a slice from `start` on, of which several pages capture one segment. Ends early at a frame from which on a
   * single page has to capture the rest by `frames`. Left out by an engine whose frames depend on who captures them.
   */
  slice?(start: number, slice: SegmentSlice, accepts: readonly FrameFormat[], plan: RenderPlan): AsyncIterable<Frame>
  /**
   * Shows one frame of the finished plan and stays on it until the next call; a later frame may be anywhere. Left out
   * by an engine whose pages cannot be examined. What an expression changes in the page is seen in no frame of
   * `frames`.
   */
  show?(frame: number, plan: RenderPlan): Promise<ShownFrame>
  /** Like `show`, where pixels take less time than a picture; throws VID_LANE_UNFIT for a frame that has none. */
  showPixels?(frame: number, plan: RenderPlan): Promise<PixelFrame>
  /** Every file that decided how this page looks so far; without it, no segment is reused by its sources. */
  inputs?(): Promise<readonly InputFile[]>
  /** Warns now of all that is wrong with the frames so far; left out by an engine that warns at once. */
  report?(): Promise<void>
  /** The way in which frames are captured now, for reports; left out by an engine that has one way. */
  lane?(): string
  close(): Promise<void>
}

/** Draws the frames of a page with a browser. */
export interface CaptureDefinition<O> {
  /**
   * Identity of what draws with these settings of a plan, such as the browser's product version, and the GPU or the
   * instruction sets of the processor where they take part; without settings, of the engine's browser.
   */
  build(context: PluginContext<O>, settings?: RenderPlan['capture']['settings']): Promise<string>
  /** Settings to put into the plan; throws a coded error when the request does not fit. */
  settings?(request: RenderRequest, context: PluginContext<O>): Promise<Record<string, unknown>>
  /**
   * Starts in `context.shared` what the page of a request will need, while its plan is being made. A failure is not
   * reported: opening the page meets it again.
   */
  prepare?(request: RenderRequest, context: PluginContext<O>): Promise<void>
  /** Opens the page of `plan`; a draft plan (before the probe) has `frames` 1 unless its length is known. */
  open(plan: RenderPlan, context: PluginContext<O>): Promise<CaptureSession>
}

/** A file that an encoder made of a segment, or of the sound. */
export interface EncodedFile {
  readonly file: string
  /** The files of the plan's further outputs, in their order. */
  readonly more?: readonly EncodedFile[]
  /** The reason for reusing the file, for the report; left out if it was encoded now. */
  readonly reused?: string
}

/** The sound of a plan: a wav of 48 kHz stereo, exactly as long as its frames; null when nothing can be heard. */
export interface MixedSound {
  readonly file: string | null
}

/** A file that is delivered beside an artifact. */
export interface BesideFile {
  /** Replaces the extension of the output's name, such as `.poster.jpg`. */
  readonly suffix: string
  readonly path: string
}

/** How far a sound is mixed. */
export interface SoundGrowth {
  /** Absolute path of the wav, whose header already has its whole length. */
  readonly file: string
  /** Bytes that can be read, and do not change. */
  readonly bytes: number
  readonly totalBytes: number
}

/** The sound of a video, as in `MixedSound`, which may still be mixed. */
export interface GrowingSound {
  /** Path of the wav. */
  readonly file: string
  readonly totalBytes: number
  /** Resolves when more than `bytes` bytes can be read, to their number; rejects if the mix fails before. */
  grown(bytes: number): Promise<number>
}

/** The finished video, or folder of images, in the render's scratch folder. */
export interface Artifact {
  readonly path: string
  /** Files that belong to it and are not in it; left out for none. */
  readonly beside?: readonly BesideFile[]
  /** Those of the plan's further outputs, in their order. */
  readonly more?: readonly Artifact[]
}

/** A file that a page was drawn from, whether or not it was there. */
export interface InputFile {
  /**
   * Path relative to the project, with slashes, or the address of a remote file; what else decides the picture
   * begins with `vid:`.
   */
  readonly source: string
  /** SHA-256 (hex) of its bytes; null when there was no such file. */
  readonly digest: string | null
}

/** A segment to encode; `path` is absolute, without extension, and unique to this attempt. */
export interface SegmentJob extends Segment {
  readonly plan: RenderPlan
  readonly path: string
}

/** The target of `join`; `path` is absolute and ends in the extension of the format. */
export interface JoinOutput {
  readonly plan: RenderPlan
  readonly path: string
}

/** A finished artifact to check before it is delivered. */
export interface Verification {
  readonly plan: RenderPlan
  readonly artifact: Artifact
  /** Whether the plan's sound can be heard in it. */
  readonly sound: boolean
  /** Those of `sampledFrames` as the encoder got them, in their order; none that another process encoded or that was reused. */
  readonly samples: readonly Frame[]
  /** Captures one frame again, as the formats that the encoder accepts; slow, for frames that look wrong. */
  frame(index: number): Promise<Frame>
}

/** A frame of a finished artifact that is to be a picture. */
export interface StillJob {
  readonly plan: RenderPlan
  readonly artifact: Artifact
  /** Counted from the first frame of the plan. */
  readonly frame: number
  readonly format: 'jpg' | 'png'
  /** Absolute. */
  readonly path: string
}

/** A video that is to be played while it is rendered. */
export interface PublishJob {
  readonly plan: RenderPlan
  /** Absolute path of an empty folder, in which the encoder writes and others read. */
  readonly folder: string
  /** The sound of the whole video, which `join` gets when it is finished. */
  readonly audio: GrowingSound | undefined
}

/** The parts of a video that can be played already. What was written does not change, apart from lists of parts. */
export interface Publication {
  /** Name of the file in the folder that players open; it exists after the first segment. */
  readonly index: string
  /** Publishes the next segment. Called in their order, each when the one before is published. */
  add(segment: EncodedFile): Promise<void>
  /**
   * Ends the video after the segments that were published, all or not, so that players stop there. Called once, also
   * after an abort and after a failure.
   */
  end(): Promise<void>
}

/** Encodes frames to files, and joins files to one artifact. */
export interface EncoderDefinition<O> {
  readonly formats: readonly string[]
  /** Frame formats, the preferred first. */
  readonly accepts: readonly FrameFormat[]
  /**
   * True when the format carries alpha: pages are then captured transparent. `optional` when it can do without,
   * beside outputs of the same capture that have none.
   */
  readonly alpha?: boolean | 'optional'
  /**
   * Request settings that change its output; setting one that it does not list gives a warning. Left out: unknown,
   * and nothing is warned of.
   */
  readonly takes?: readonly EncoderSetting[]
  /** True when it encodes HDR for a plan that has `hdr`. */
  readonly hdr?: boolean
  /** True when it can encode in hardware. */
  readonly hardware?: boolean
  /** True when `join` adds the text tracks of a plan to its file. */
  readonly textTracks?: boolean
  /** False when the format carries no sound; default true. */
  readonly audio?: boolean
  /** File extension with its dot, default `.<format>`; empty for a folder. */
  readonly extension?: string
  readonly maxFps?: number
  /** True when it makes odd sides of the picture even, of which a render warns. */
  readonly evenSize?: boolean
  /**
   * Frames of a segment that it takes, with settings of a plan and pictures of a size in pixels, before its load is that
   * of the rest; 40 if left out.
   */
  lookahead?(settings: RenderPlan['encoder']['settings'], size: Pick<RenderPlan, 'width' | 'height'>): number
  /**
   * Identity of what encodes with these settings of a plan, such as the version of a program; throws a coded error when
   * it cannot encode with them here.
   */
  build?(context: PluginContext<O>, settings?: RenderPlan['encoder']['settings']): Promise<string>
  /** Settings to put into the plan; throws a coded error when the request does not fit. */
  settings?(request: RenderRequest, options: O): Record<string, unknown>
  encode(frames: AsyncIterable<Frame>, segment: SegmentJob, context: PluginContext<O>): Promise<EncodedFile>
  /**
   * Joins segments without encoding them again, and encodes `audio`, which is a wav as in `MixedSound`. An encoder
   * without it is given one segment.
   */
  join?(
    segments: readonly EncodedFile[],
    audio: EncodedFile | undefined,
    output: JoinOutput,
    context: PluginContext<O>,
  ): Promise<Artifact>
  /** Begins to publish a video whose segments are rendered; left out where nothing can be played before the end. */
  publish?(job: PublishJob, context: PluginContext<O>): Promise<Publication>
  /**
   * Writes a frame of a finished artifact as a picture, as players show it: in sRGB, and of an HDR video as SDR screens
   * do. Left out by an encoder whose artifacts have no posters.
   */
  still?(job: StillJob, context: PluginContext<O>): Promise<void>
  /** Throws a coded error if the artifact does not match the plan. */
  verify?(verification: Verification, context: PluginContext<O>): Promise<void>
}

/** Captures and encodes one segment, for a plugin that decides whether that is needed. */
export interface SegmentMaker {
  /** Captures `range`, default the whole segment, each time it is called; nothing starts before the first read. */
  frames(range?: Segment): AsyncIterable<Frame>
  /** Encodes all frames of the segment, once. */
  encode(frames: AsyncIterable<Frame>): Promise<EncodedFile>
  /** Inputs of the pages that were captured for it; undefined when the engine does not report them. */
  inputs(): Promise<readonly InputFile[] | undefined>
  /** The warnings of its captured page since that was opened, without `transient` ones. */
  warnings(): Promise<readonly PluginWarning[]>
}

/** A plugin that depends on something outside of this process, such as a server, an account or a container engine. */
export interface ExaminedDefinition<O> {
  /**
   * Tries what it depends on without rendering, for `vid doctor`: changes nothing that stays, and resolves to what it
   * has found, in words; rejects with a coded error when it could not work.
   */
  examine?(context: PluginContext<O>): Promise<string>
}

/** A plugin that a whole render ends in or goes through, and that may refuse it before its first frame. */
export interface CheckedDefinition<O> extends ExaminedDefinition<O> {
  /**
   * Checks, before the first frame, what can be known without a result, such as credentials: changes nothing, and
   * rejects with a coded error when the render would be in vain.
   */
  check?(request: RenderRequest, context: PluginContext<O>): Promise<void>
}

/** Keeps finished segments; it does not decide whether one may be reused. */
export interface StoreDefinition<O> extends ExaminedDefinition<O> {
  /** Opens the store for one render; the render's signal may abort at any time. */
  open(context: PluginContext<O>): Promise<BlobStore>
  /** Removes everything kept for a project; resolves to the number of bytes freed. */
  clean?(context: PluginContext<O>): Promise<number>
}

/** A published video that is delivered while it is rendered. */
export interface DeliveryGrowth {
  /**
   * Delivers what the lists of the published folder name at present: parts first, then the lists. Each call begins after
   * the end of the one before.
   */
  update(folder: string): Promise<void>
  /** Delivers the lists of a video that has ended, whole or not. Called once, also after an abort and after a failure. */
  end(folder: string, signal: AbortSignal): Promise<void>
  /** Delivers the finished artifact in place of `deliver`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a delivery that has nothing to say returns nothing
  finish(artifact: Artifact, result: RenderResult): Promise<string | void>
}

/** Delivers a finished artifact to its destination. */
export interface DeliveryDefinition<O> extends CheckedDefinition<O> {
  /** Whether it writes to the output path; its folder must then be writable before the render starts. */
  readonly writesOutput?: boolean
  /**
   * Addresses that the results of a request will have, as far as they are known before it is rendered. Requests that are
   * rendered together, such as the rows of a batch, are refused if they have one in common.
   */
  places?(request: RenderRequest, context: Pick<PluginContext<O>, 'options'>): readonly string[]
  /**
   * Resolves to the address where the artifact is now, if that is not the output path; `result` has those of deliveries
   * before.
   */
  deliver(
    artifact: Artifact,
    result: RenderResult,
    context: PluginContext<O>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a delivery that has nothing to say returns nothing
  ): Promise<string | void>
  /**
   * Begins to deliver a video that is published while it is rendered, when its first part can be played. Left out by a
   * delivery that only delivers finished artifacts.
   */
  grow?(job: { readonly outputPath: string }, context: PluginContext<O>): Promise<DeliveryGrowth>
}
