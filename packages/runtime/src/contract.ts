/** What the page script is told before any script of the page runs. */
export interface PageConfig {
  readonly width: number
  readonly height: number
  readonly fps: number
  /** Resolved values for the top composition: defaults already applied. */
  readonly variables: Record<string, unknown>
  /** True when the output carries transparency. */
  readonly alpha: boolean
  /**
   * Given to a page that is to be captured as an element: its pixels go to slots of a file that begins with `mark`;
   * `planar` is the module that makes pictures of pixels, in base64.
   */
  readonly raster?: { readonly mark: string; readonly slots: number; readonly planar: string }
}

/** An uncaught error or rejection of a page script; `source` is its URL and `line` counts from 1. */
export interface PageError {
  readonly message: string
  readonly source?: string
  readonly line?: number
}

/** One thing the page still waits for. */
export interface PendingPart {
  readonly reason: 'document' | 'root' | 'fonts' | 'images' | 'media' | 'promise'
  /** Of `media`, the source to tell the page about. */
  readonly detail: string
}

/** Whether the page can begin, and if not, what it waits for. */
export interface ReadyReport {
  readonly ready: boolean
  readonly pending: readonly PendingPart[]
  readonly errors: readonly PageError[]
}

/** What a page is told about a media source. */
export interface MediaFacts {
  /** Seconds. */
  readonly duration: number
  /** Pixels as shown; 0 without a picture. */
  readonly width: number
  readonly height: number
  readonly hasAudio: boolean
}

/** A media element of the page: what a plan calls a media use. */
export interface PageMedia {
  /** `m0`, `m1`, … in document order. */
  readonly id: string
  readonly kind: 'video' | 'audio'
  /** Path below the page's origin, without a slash in front, or an absolute URL. */
  readonly src: string
  /** Seconds of the whole composition. */
  readonly start: number
  /** Seconds of the whole composition; null when only its end limits it. */
  readonly end: number | null
  /** Seconds between which what holds it is shown, where that cuts its window. */
  readonly heardFrom?: number
  readonly heardUntil?: number
  readonly mediaStart: number
  readonly rate: number
  readonly loop: boolean
  readonly volume: number
  readonly muted: boolean
  readonly hasAudio: boolean | null
}

/** Packets of a source that the page can decode by itself, in decoding order, one after the other in a file. */
export interface MediaPackets {
  readonly url: string
  readonly config: PacketConfig
  /** Place of the first packet among those of the file, by which packets of two shows are known to be the same. */
  readonly first: number
  /** Byte at which the first packet begins. */
  readonly offset: number
  /** Bytes of each. */
  readonly sizes: readonly number[]
  /** Time stamp of the frame of each. */
  readonly ticks: readonly number[]
  /** Indexes of packets from which decoding may begin. */
  readonly keys: readonly number[]
  /** Per shown frame, the time stamp of what it shows. */
  readonly shown: readonly number[]
  readonly share?: PictureShare
}

/** Pictures that one page decodes and another one of the same origin shows too. */
export interface PictureShare {
  /** Name that only these two pages know. */
  readonly channel: string
  readonly role: 'lender' | 'borrower'
  /** Time stamps of the pictures. */
  readonly ticks: readonly number[]
}

/** What a decoder is told of its packets. */
export interface PacketConfig {
  /** As WebCodecs names it. */
  readonly codec: string
  readonly matrix: 'bt709' | 'smpte170m' | 'bt470bg'
  readonly fullRange: boolean
}

/** The images that a video shows, one per frame from `first`. */
export interface MediaShow {
  readonly id: string
  readonly first: number
  readonly urls: readonly string[]
  /** Where the same pictures come from without images, when the page can decode them. */
  readonly packets?: MediaPackets
}

/** What a page turned out to be once its scripts had run. */
export interface ProbeReport {
  /** Seconds, from what the page contains; null when nothing says. The root's own `data-duration` is not read here. */
  readonly duration: number | null
  /** True when frames depend on the frames before, so that a page must be replayed from frame 0. */
  readonly stateful: boolean
  /** Why the page is stateful, in words; empty when it is not. */
  readonly because: readonly string[]
  /** True when the volume of a media element may change over time. */
  readonly volumesMove: boolean
  /** True when something endless is all that could say how long the page is. */
  readonly infinite?: boolean
  /** Keys of the registered timelines. */
  readonly timelines: readonly string[]
  readonly media: readonly PageMedia[]
  /** True when scripts may draw a video while it is not shown: it then keeps its nearest frame. */
  readonly drawsVideos: boolean
  /** Addresses of moving images that only show their first frame. */
  readonly stills: readonly string[]
  readonly errors: readonly PageError[]
}

/** What became of a frame: its pixels lie in the slot, equal those before, or cannot be had this way, for a reason. */
export type RasterAnswer = 'drawn' | 'repeat' | { readonly unfit: string }

/** Frames that are asked for next, in order. The first of them is never a repeat. */
export interface RasterRange {
  readonly start: number
  readonly frames: number
  /** Whether the pixels are planar instead of rgba: yuv420p, and yuva420p on a page with alpha. */
  readonly planar: boolean
  /** Frames that will be compared. */
  readonly keep: readonly number[]
}

/** What was found out about the next frames of a range. */
export interface RasterRun {
  /** Frames on which nothing had changed. */
  readonly repeats: number
  /** What became of the frame after them; left out where the run ended before it. */
  readonly last?: RasterAnswer
}

/** How far two pictures of one frame are from each other. */
export interface Likeness {
  /** Peak signal-to-noise ratio in dB; null when they are equal. */
  readonly psnr: number | null
  /** The largest mean difference of a block, in steps of a channel, 0 … 255: something small that is missing. */
  readonly worstBlock: number
}

/** Captures the page as an element; only there when the page was told to. */
export interface RasterHost {
  /** Starts the worker; null, or why this page cannot be captured so. Called after `begin`. */
  open(): Promise<string | null>
  /** Says which frames come next. */
  begin(range: RasterRange): void
  /**
   * Shows the next frames of the range, `most` at the most, until something may have changed on one; the pixels of that
   * one go into `slot`, unless they equal those before. May be asked ahead of the answers.
   */
  next(slot: number, most: number): Promise<RasterRun>
  /** Compares a frame that was kept to a screenshot of it, a PNG in base64. */
  compare(frame: number, screenshot: string): Promise<Likeness | { readonly unfit: string }>
}

/** Letters that no font of the page has, and the first element that they stand in. */
export interface MissingLetters {
  readonly letters: string
  readonly element: string
}

/** What was blackened. */
export interface BlankReport {
  /** False when none of the videos showed a picture. */
  readonly shown: boolean
  /** Why what a video shows is more than its pixels put somewhere, in words, by its id. */
  readonly unfit: Readonly<Record<string, string>>
}

/** `globalThis.__vidHost` in the top frame: how a browser driver drives the page. */
export interface PageHost {
  readiness(): ReadyReport
  /** Tells about sources; null is one that cannot be used. */
  tellMedia(facts: Readonly<Record<string, MediaFacts | null>>): void
  /** Says what videos show in the frames that come; outside of these they show nothing. */
  showMedia(shows: readonly MediaShow[]): void
  /** Whether the page decodes such packets. */
  canDecode(config: PacketConfig): Promise<boolean>
  /** The element of a video, by its id; without one, a video that lends what `giveScreen` needs. */
  videoOf(id?: string): object | undefined
  /**
   * Gives a video a canvas inside it, where no script or style of the page sees it; `inside` is the video's own shadow
   * tree and `lent` that of the lender, which only a driver can reach. False when there is no room for one.
   */
  giveScreen(id: string, inside: object, lent: object): boolean
  /**
   * Blackens the pictures that videos show, by their ids, until the next seek. What the page looks like then is all
   * that is not theirs.
   */
  blankVideos(ids: readonly string[]): Promise<BlankReport>
  /** Freezes what the page has built at time 0; called once, when ready. */
  begin(): ProbeReport
  /** Forward only; resolves when the DOM shows that frame. */
  seek(frame: number): Promise<void>
  errors(): PageError[]
  /** Letters of the text as it is now, but those of Latin. */
  letters(): string
  /** Where those of `suspects` stand that are drawn as boxes. */
  missingLetters(suspects: string): MissingLetters[]
  /** Shows frames `start … start + frames - 1` and gives the gain of each of the probe's media in them. */
  volumes(start: number, frames: number): Promise<number[][]>
  readonly raster?: RasterHost
}
