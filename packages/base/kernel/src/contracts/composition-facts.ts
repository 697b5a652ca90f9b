import type { Warning } from '@vid/protocol'

/** Part of the picture, in CSS pixels of the page. */
export interface CompositionBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Consecutive frames, from the first to the one after the last. */
export type CompositionFrames = readonly [start: number, end: number]

/** An element of the page that a check may name; others refer to it by its position in `CompositionFacts.elements`. */
export interface CompositionElement {
  /** Such as `#title`, `.word` or `p`. */
  readonly selector: string
  readonly tag: string
  /** Text that stands in it directly, shortened; empty for an element without. */
  readonly text: string
  /** Where it stands in the source; null for what a script has made. */
  readonly file: string | null
  readonly line: number | null
  /** Position in `CompositionFacts.clips` of the timed element that it is or stands in; null for none. */
  readonly clip: number | null
}

/** How an element shows its text in some frames. */
export interface CompositionText {
  readonly element: number
  /** The block that sets it: texts of one block are placed beside each other by the browser. */
  readonly block: number
  readonly frames: CompositionFrames
  readonly text: string
  /** Whole lines, as far as anything is laid out; also what nobody sees. */
  readonly lines: readonly CompositionBox[]
  /** Where the ink of its characters begins and ends, as parts of the height of a line. */
  readonly ink: readonly [top: number, bottom: number]
  /** The part of the page that boxes around it leave visible, and the selector of the one that cuts most; null for none. */
  readonly visible: CompositionBox
  readonly clippedBy: string | null
  /** How far it sticks out of the painted box that it stands in, in heights of its font, and the selector of that box. */
  readonly spill: number
  readonly spillsFrom: string | null
  /** Height of the font in the picture, transforms included, in CSS pixels. */
  readonly fontSize: number
  /** Height of the font as its style says, before transforms. */
  readonly styledSize: number
  /** Pixels of the picture by which one pixel of `translate` moves its block; null where it cannot be moved so. */
  readonly move: { readonly x: number; readonly y: number } | null
  readonly isBold: boolean
  /** Product of all opacities around it. */
  readonly opacity: number
  /** Whether it stays where it is in these frames. */
  readonly isStill: boolean
  /** Part of its characters, as sampled, that lie below something opaque, and the selector of that. */
  readonly covered: number
  readonly coveredBy: string | null
  /** Whether styles alone say that nothing is seen through what lies above it. */
  readonly isCoverSure: boolean
  /** A family that is named first and that no font has; null where the first one is used. */
  readonly missingFamily: string | null
}

/** How well a text stands out, at its worst moment. */
export interface CompositionContrast {
  readonly element: number
  /** The frames in which it looks so, the worst of them, and where. */
  readonly frames: CompositionFrames
  readonly frame: number
  readonly box: CompositionBox
  /** By WCAG 2.2, 1 … 21, from captured pixels. */
  readonly ratio: number
  /** Part of the characters that change any pixel, 0 … 1: what nobody sees does not. */
  readonly seen: number
  /** `#rrggbb` of the text and of what is behind it at the worst place. */
  readonly color: string
  readonly background: string
  readonly fontSize: number
  readonly isBold: boolean
}

/** A picture that the page shows: an image, a video, or an image of a style. */
export interface CompositionImage {
  readonly element: number
  readonly frames: CompositionFrames
  readonly kind: 'image' | 'video' | 'background'
  readonly src: string
  readonly box: CompositionBox
  /** Pixels of the source. */
  readonly naturalWidth: number
  readonly naturalHeight: number
  /** Size at which the whole source is drawn, before anything cuts it, in CSS pixels of the picture. */
  readonly drawnWidth: number
  readonly drawnHeight: number
}

/** A frame whose picture is not that of the frame before, seen small. */
export interface CompositionPicture {
  readonly frame: number
  /** `#rrggbb` where every pixel has about the same colour. */
  readonly flat: string | null
  /** Relative luminance of cells of the picture, 0 … 1, row by row, and their part of saturated red. */
  readonly luminance: readonly number[]
  readonly red: readonly number[]
}

/** Where an element is in a frame: a step of its path, noted where it changes. */
export interface CompositionStep extends CompositionBox {
  readonly frame: number
  readonly opacity: number
}

/** The path of an element through the composition. */
export interface CompositionPath {
  readonly element: number
  /** In order of frames; a step holds until the next. A width of 0 says that it is not shown. */
  readonly steps: readonly CompositionStep[]
}

/** A timed element. */
export interface CompositionClip {
  readonly name: string
  readonly element: number | null
  /** Seconds. */
  readonly start: number
  readonly end: number
}

/** A time in which an animation changes an element. */
export interface CompositionMotion {
  readonly target: string
  readonly kind: string
  readonly properties: readonly string[]
  /** Seconds; `end` is null when it repeats without an end. */
  readonly start: number
  readonly end: number | null
  /** Position in `CompositionFacts.clips` of the clip that holds its target; null for none, or several. */
  readonly clip: number | null
  readonly element: number | null
}

/** A video or a sound, as it is played. */
export interface CompositionMedia {
  readonly kind: 'video' | 'audio'
  readonly src: string
  readonly element: number | null
  /** Seconds of the composition. */
  readonly start: number
  readonly end: number
  /** Seconds into the source, and its length. */
  readonly mediaStart: number
  readonly sourceDuration: number
  readonly rate: number
  readonly isLooped: boolean
  /** Left out where a script changes it, or the element is muted. */
  readonly volume?: number
}

/** The sound of one media element, as it enters the mix. */
export interface CompositionVoice {
  /** Position in `CompositionFacts.media`. */
  readonly media: number
  /** Whether it sounds like speech, or its name says so. */
  readonly isSpeech: boolean
  /** dB of full scale in each 100 ms of the composition: of all, and of the band of speech; -Infinity in silence. */
  readonly levels: readonly number[]
  readonly bandLevels: readonly number[]
  /** dB of full scale in the last 10 ms that are heard of it. */
  readonly endLevel: number
}

/** What is heard of the composition. */
export interface CompositionAudio {
  /** Integrated loudness in LUFS, by ITU-R BS.1770; null where nothing passes its gate. */
  readonly integrated: number | null
  /** Highest level between samples, in dB of full scale, by ITU-R BS.1770; null in silence. */
  readonly truePeak: number | null
  /** Seconds at which that is. */
  readonly truePeakAt: number
  /** The same of each 100 ms, where it is above -6 dB; null elsewhere. */
  readonly truePeaks: readonly (number | null)[]
  /** Half a second or more without sound, in seconds. */
  readonly silent: readonly { readonly start: number; readonly end: number }[]
  readonly voices: readonly CompositionVoice[]
}

/** A caption, at its time in the composition. */
export interface CompositionCue {
  /** Seconds. */
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The captions of a track of the page. */
export interface CompositionCaptions {
  /** Empty where neither the track nor its file names one. */
  readonly language: string
  /** The file as the track names it. */
  readonly file: string
  readonly element: number | null
  /** By start. */
  readonly cues: readonly CompositionCue[]
}

/** What the page did wrong while it was looked at, as a render would warn of it. */
export interface CompositionProblem extends Warning {
  /** The frames in which it was reported; null where it belongs to none. */
  readonly frames: CompositionFrames | null
  /** Where it stands in the source, as far as that is known. */
  readonly file: string | null
  readonly line: number | null
}

/** All that is known of a composition, gathered once: each state of it, in picture and sound. */
export interface CompositionFacts {
  /** Of the page, in CSS pixels. */
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly frames: number
  /** Seconds. */
  readonly duration: number
  readonly elements: readonly CompositionElement[]
  readonly clips: readonly CompositionClip[]
  readonly motions: readonly CompositionMotion[]
  readonly texts: readonly CompositionText[]
  readonly contrasts: readonly CompositionContrast[]
  readonly images: readonly CompositionImage[]
  readonly paths: readonly CompositionPath[]
  /** Stretches in which no pixel changes, and those in which something moves: together all frames. */
  readonly states: readonly { readonly frames: CompositionFrames; readonly isMoving: boolean }[]
  /** Cells of a `CompositionPicture` beside and below each other. */
  readonly grid: { readonly columns: number; readonly rows: number }
  readonly pictures: readonly CompositionPicture[]
  readonly media: readonly CompositionMedia[]
  /** Elements that load a file, and which, as written. */
  readonly sources: readonly { readonly element: number; readonly src: string }[]
  readonly captions: readonly CompositionCaptions[]
  /** Null when nothing is heard. */
  readonly sound: CompositionAudio | null
  readonly problems: readonly CompositionProblem[]
  /** Milliseconds that the page takes to show a frame, on average of some. */
  readonly timings: readonly { readonly frames: CompositionFrames; readonly ms: number }[]
  /** Findings of lint in the source that only a run of the page confirms. */
  readonly source: readonly {
    readonly rule: string
    readonly file: string
    readonly line: number
    readonly message: string
    readonly hint: string
  }[]
}
