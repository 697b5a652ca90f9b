import type { CompositionBox, CompositionImage, CompositionText } from '@vid/kernel'

/** The global of the page that holds what examines it. */
export const CHECK_GLOBAL = '__vidCheck'

/** An element of the page, reported once, when something is first known of it. */
export interface ReportedElement {
  /** Equal in every page of the composition: where it stands in the tree. */
  readonly key: string
  readonly selector: string
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
  readonly text: string
  /** Position of the timed element that it is or stands in, among all of them; null for none. */
  readonly clip: number | null
  /** `data-check-ignore` and `data-check-reason` of it and of the elements around it. */
  readonly ignores: readonly { readonly rules: string; readonly reason: string }[]
}

/** A text in the shown frame; elements are positions in the page's list. */
export type ReportedText = Omit<CompositionText, 'frames' | 'isStill'>

/** A picture in the shown frame. */
export type ReportedImage = Omit<CompositionImage, 'frames'>

/** What a frame shows, where something is other than in the look before. */
export interface ReportedLook {
  readonly frame: number
  readonly texts: readonly ReportedText[]
  readonly images: readonly ReportedImage[]
}

/** Where an element is from a frame on: left, top, width, height and opacity; a width of 0 says that it is not shown. */
export type ReportedStep = readonly [
  frame: number,
  element: number,
  x: number,
  y: number,
  width: number,
  height: number,
  opacity: number,
]

/** What a script of the page did wrong in a frame. */
export interface ReportedError {
  readonly frame: number
  readonly message: string
  readonly source: string | null
  readonly line: number | null
}

/** What some frames of a page have shown. */
export interface StepReport {
  readonly errors: readonly ReportedError[]
  readonly elements: readonly ReportedElement[]
  readonly looks: readonly ReportedLook[]
  readonly steps: readonly ReportedStep[]
}

/** A text whose contrast can be measured in a picture. */
export interface MeasuredText {
  readonly element: number
  readonly lines: readonly CompositionBox[]
  readonly visible: CompositionBox
  readonly fontSize: number
  readonly isBold: boolean
  /** Its colour with all opacities around it: red, green and blue of 255, and alpha of 1; null where only pixels say it. */
  readonly color: readonly [red: number, green: number, blue: number, alpha: number] | null
  readonly opacity: number
}

/** The elements around media and animations. */
export interface PlacedParts {
  readonly elements: readonly ReportedElement[]
  /** Element and clip of each asked selector; null where there are none, or several. */
  readonly targets: readonly { readonly element: number | null; readonly clip: number | null }[]
  /** The timed elements in order. */
  readonly timed: readonly number[]
  /** Elements that load a file, and which, as written. */
  readonly sources: readonly { readonly element: number; readonly src: string }[]
  /** The root of the composition. */
  readonly root: number | null
}

/** What examines the page, in it. */
export interface PageCheck {
  /** Shows frames one after another, and reports what they show; forwards only. */
  step(start: number, end: number): Promise<StepReport>
  /** Finds what selectors name. */
  place(selectors: readonly string[]): PlacedParts
  /** Numbers the elements at places in the tree, and returns those that had no number; it may not have all of them. */
  number(keys: readonly string[]): readonly ReportedElement[]
  /** The texts of the shown frame, and the elements that are new. */
  measured(): { readonly elements: readonly ReportedElement[]; readonly texts: readonly MeasuredText[] }
  /** Hides the characters of all texts, or shows them again. */
  hide(isHidden: boolean): void
}
