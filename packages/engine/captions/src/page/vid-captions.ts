import type { Cue } from '../model/cue.ts'
import { createCueIndex, isDuring } from './active-cues.ts'
import { type CueBox, createCueBox } from './cue-box.ts'
import { type LayoutRules, layOutCue, MODES, type TimedPage } from './layout.ts'
import { type OpenTrack, openTrack } from './open-track.ts'
import { addStyles } from './styles.ts'
import { compositionPage, followTrack } from './track-time.ts'

const DEFAULT_LINES = 2

const documentLoaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else addEventListener('load', () => resolve(), { once: true })
  })

const fontOf = ({ fontStyle, fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): string =>
  `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`

/** Loads the fonts of all texts: a font that arrives later would move what is shown. */
const loadFonts = async (element: Element, cues: readonly Cue[]): Promise<void> => {
  const characters = new Set(cues.flatMap(({ text }) => [...text]))
  await document.fonts.load(fontOf(getComputedStyle(element)), [...characters].join(''))
}

/** Measures texts in the font of an element. */
const createMeasure = (style: CSSStyleDeclaration): ((text: string) => number) => {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('<vid-captions> cannot measure its texts')
  context.font = fontOf(style)
  context.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing
  const isUpper = style.textTransform === 'uppercase'
  return (text) => context.measureText(isUpper ? text.toUpperCase() : text).width
}

/** One page of a cue that is shown. */
interface ShownBox extends CueBox {
  readonly key: string
}

/** `<vid-captions>`: draws the captions of a `<track>` at the time of the composition, or of a media element. */
export class VidCaptions extends HTMLElement {
  #isOpen = false
  #shown: readonly ShownBox[] = []
  /** Pages by cue, for the rules that they were broken by. */
  #pages = new Map<Cue, readonly TimedPage[]>()
  #rulesKey = ''
  #rules: LayoutRules | undefined

  connectedCallback(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    const page = compositionPage()
    if (page?.hidesCaptions) {
      this.style.setProperty('display', 'none', 'important')
      return
    }
    addStyles()
    const opening = this.#open()
    if (page) page.waitUntil(opening)
    else opening.catch((cause: unknown) => console.error(cause))
  }

  async #open(): Promise<void> {
    await documentLoaded()
    const track = await openTrack(this)
    await loadFonts(this, track.captions.cues)
    const cuesAt = createCueIndex(track.captions.cues)
    followTrack(track.element, (seconds) => {
      if (this.isConnected) this.#show(track, seconds === undefined ? [] : cuesAt(seconds), seconds ?? 0)
    })
  }

  /** What breaks lines at the moment: the style of the element may be animated. */
  #currentRules(language: string | undefined): LayoutRules {
    const style = getComputedStyle(this)
    const mode = MODES.find((name) => name === this.getAttribute('mode')) ?? 'line'
    const maxLines = Math.max(1, Math.floor(Number(this.getAttribute('lines')) || DEFAULT_LINES))
    const fontSize = Number.parseFloat(style.fontSize)
    const sides = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
    // Room for the padding of a cue.
    const maxWidth = Math.max(fontSize, this.clientWidth - sides - fontSize)
    const key = [mode, maxLines, maxWidth, fontOf(style), style.letterSpacing, style.textTransform].join('|')
    if (this.#rules && key === this.#rulesKey) return this.#rules
    this.#rulesKey = key
    this.#pages.clear()
    this.#rules = { mode, maxLines, maxWidth, fontSize, language, widthOf: createMeasure(style) }
    return this.#rules
  }

  #pagesOf(cue: Cue, rules: LayoutRules): readonly TimedPage[] {
    const pages = this.#pages.get(cue) ?? layOutCue(cue, rules)
    this.#pages.set(cue, pages)
    return pages
  }

  #show({ captions, language }: OpenTrack, cues: readonly Cue[], seconds: number): void {
    if (cues.length === 0 && this.#shown.length === 0) return
    const rules = cues.length === 0 ? undefined : this.#currentRules(language)
    const boxes = cues.flatMap((cue): ShownBox[] => {
      if (!rules) return []
      const page = this.#pagesOf(cue, rules).find((part) => isDuring(part, seconds))
      if (!page) return []
      const key = `${captions.cues.indexOf(cue)} ${page.start} ${this.#rulesKey}`
      return [this.#shown.find((box) => box.key === key) ?? { key, ...createCueBox(cue, page, rules.mode, language) }]
    })
    const isSame = boxes.length === this.#shown.length && boxes.every((box, index) => box === this.#shown[index])
    if (!isSame) this.replaceChildren(...boxes.map(({ element }) => element))
    this.#shown = boxes
    for (const box of boxes) box.update(seconds)
  }
}
