import type {
  PageCheck,
  PlacedParts,
  ReportedElement,
  ReportedError,
  ReportedLook,
  StepReport,
} from '../page-report.ts'
import { createHiding, measuredTexts } from './contrast.ts'
import { createPointStacks } from './covers.ts'
import { createElements, elementAtKey, type PageElements } from './elements.ts'
import { createFonts } from './fonts.ts'
import { createImages } from './images.ts'
import { createPaths } from './paths.ts'
import { readSurroundings } from './styles.ts'
import { reportText, textElements } from './texts.ts'
import { keepUndrawn } from './undrawn.ts'

/** Frames between two looks while something moves. */
const STRIDE = 3

declare global {
  /** The page script, as far as it is used here. */
  var __vidHost: {
    seek(frame: number): Promise<void>
    errors(): readonly {
      readonly message: string
      readonly source?: string
      readonly line?: number
      readonly isThrown?: true
    }[]
  }
  var __vidCheck: PageCheck
}

/** Size of the picture in CSS pixels. */
const pictureBox = () => {
  const root = document.querySelector('[data-vid-root]') ?? document.documentElement
  const { width, height } = root.getBoundingClientRect()
  const size = {
    width: Number(root.getAttribute('data-width')) || width,
    height: Number(root.getAttribute('data-height')) || height,
  }
  return { x: 0, y: 0, ...size }
}

/** Finds what selectors name, what loads files, and the timed elements. */
const placeParts = (elements: PageElements, selectors: readonly string[]): PlacedParts => {
  const timed = elements.timed()
  const targets = selectors.map((selector) => {
    let list: Element[] = []
    try {
      list = [...document.querySelectorAll(selector)].slice(0, 200)
    } catch {
      // The key of a timeline, which is no selector.
    }
    const clips = new Set(list.map(elements.clipOf))
    const [clip] = clips
    return {
      element: list[0] ? elements.numberOf(list[0]) : null,
      clip: clips.size === 1 && clip ? timed.indexOf(clip) : null,
    }
  })
  const root = document.querySelector('[data-vid-root]')
  const loading = [...document.querySelectorAll('[src],[href],[poster],[data-composition-src]')].slice(0, 500)
  const sources = loading.flatMap((element) =>
    ['src', 'href', 'poster', 'data-composition-src'].flatMap((name) => {
      const src = element.getAttribute(name)
      const owner = element.localName === 'source' ? (element.parentElement ?? element) : element
      return src === null || src === '' ? [] : [{ element: elements.numberOf(owner), src }]
    }),
  )
  return {
    targets,
    sources,
    timed: timed.map(elements.numberOf),
    root: root ? elements.numberOf(root) : null,
    elements: elements.takeFresh(),
  }
}

/** Numbers the elements at places in the tree. */
const numberAt = (elements: PageElements, keys: readonly string[]): readonly ReportedElement[] => {
  for (const element of keys.map(elementAtKey)) if (element) elements.numberOf(element)
  return elements.takeFresh()
}

/** What lies above a text is found by hits, also where an element lets the mouse through. */
const createHits = (): CSSStyleSheet => {
  const hits = new CSSStyleSheet()
  hits.replaceSync('* { pointer-events: auto !important }')
  return hits
}

const createCheck = (): PageCheck => {
  const elements = createElements()
  const fonts = createFonts()
  const images = createImages(elements)
  const paths = createPaths(elements)
  const hide = createHiding()
  const frameBox = pictureBox()
  let lastLook = Number.NEGATIVE_INFINITY
  let lastFrame = -1
  let isPending = false
  let shownText = ''
  const hits = createHits()

  const look = async (frame: number): Promise<ReportedLook> => {
    const reader = { elements, fonts, styles: readSurroundings(frameBox), stackAt: createPointStacks() }
    if (!document.adoptedStyleSheets.includes(hits)) document.adoptedStyleSheets.push(hits)
    const texts = textElements().flatMap((element) => reportText(element, reader) ?? [])
    return { frame, texts, images: await images.read(frameBox, reader.styles) }
  }
  const step = async (start: number, end: number): Promise<StepReport> => {
    const looks: ReportedLook[] = []
    const errors: ReportedError[] = []
    const steps: StepReport['steps'][number][] = []
    for (let frame = start; frame < end; frame++) {
      if (frame > 0) await globalThis.__vidHost.seek(frame)
      keepUndrawn()
      elements.nextFrame()
      for (const { message, source = null, line = null, isThrown } of globalThis.__vidHost.errors())
        if (isThrown) errors.push({ frame, message, source, line })
      const moved = paths.follow(frame)
      steps.push(...moved.steps)
      const text = document.body.textContent?.length.toString() ?? ''
      const isChanged = moved.isChanged || text !== shownText || frame === 1
      shownText = text
      isPending ||= isChanged
      // After a cut, and after frames that were left out, anything may be new.
      if (moved.isCut || frame !== lastFrame + 1) {
        isPending = true
        lastLook = Number.NEGATIVE_INFINITY
      }
      lastFrame = frame
      if (!isPending || (isChanged && frame - lastLook < STRIDE)) continue
      looks.push(await look(frame))
      lastLook = frame
      isPending = isChanged && frame > 0
    }
    return { elements: elements.takeFresh(), looks, steps, errors }
  }
  return {
    step,
    place: (selectors) => placeParts(elements, selectors),
    number: (keys) => numberAt(elements, keys),
    measured() {
      const texts = measuredTexts(elements, readSurroundings(frameBox))
      return { elements: elements.takeFresh(), texts }
    },
    hide,
  }
}

globalThis.__vidCheck = createCheck()
